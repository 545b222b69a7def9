import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(.blocking)
struct JSONWriterTests {
    /// Commas fall between values and nowhere else, through nesting, lines and a reset.
    @Test func placesCommas() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.number(1)
        writer.beginArray()
        writer.endArray()
        writer.null()
        writer.raw(Array(#"{"x":1}"#.utf8).span.bytes)
        writer.bool(false)
        writer.endArray()
        writer.key("b")
        writer.beginObject()
        writer.endObject()
        writer.key("c")
        writer.string("d")
        writer.endObject()
        #expect(text(writer) == #"{"a":[1,[],null,{"x":1},false],"b":{},"c":"d"}"#)
        writer.newline()
        writer.bool(true)
        #expect(text(writer).hasSuffix("}\ntrue"))
        writer.reset()
        writer.null()
        #expect(text(writer) == "null")
    }

    /// Only what RFC 8259 demands is escaped, at every place of a word of eight.
    @Test func escapesWhatItMust() throws {
        var writer = JSONWriter()
        writer.string("\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}\u{2028}\u{2029}é😀")
        #expect(text(writer) == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7f}\u{2028}\u{2029}é😀\"")
        for scalar in (UInt8(0)...0x7f).map(Unicode.Scalar.init) {
            for place in 0..<20 {
                let value = String(repeating: "!", count: place) + String(scalar) + String(repeating: "#", count: 9)
                writer.reset()
                writer.string(value)
                #expect(try JSONValue(parsing: writer.bytes.span.bytes) == .string(value))
            }
        }
    }

    /// Numbers print exactly, doubles shortest, and read back as the same bits.
    @Test func printsNumbers() throws {
        var writer = JSONWriter()
        writer.beginArray()
        for value in [Int64.min, -1, 0, 7, 10, .max] { writer.number(value) }
        writer.number(UInt64.max)
        for value in [1.0, -0.0, 0.1, 1e-7, 1.5e300, .leastNonzeroMagnitude, 1e16, .greatestFiniteMagnitude] {
            writer.number(value)
        }
        writer.endArray()
        let expected =
            "[-9223372036854775808,-1,0,7,10,9223372036854775807,18446744073709551615,1,-0,0.1,1e-07,1.5e+300,5e-324,"
            + "1e+16,1.7976931348623157e+308]"
        #expect(text(writer) == expected)
        for _ in 0..<1000 {
            let value = Double(bitPattern: .random(in: 0 ... .max))
            guard value.isFinite else { continue }
            writer.reset()
            writer.number(value)
            #expect(try JSONValue(parsing: writer.bytes.span.bytes).double?.bitPattern == value.bitPattern)
        }
    }

    /// NaN is a programming error.
    @Test func trapsOnNaN() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.number(Double.nan)
        }
    }

    /// What we write, Foundation reads; what Foundation writes, we read; and both mean the same.
    @Test func agreesWithFoundation() throws {
        for _ in 0..<400 {
            let value = randomValue(depth: 4)
            var writer = JSONWriter()
            writer.value(value)
            #expect(try JSONValue(parsing: writer.bytes.span.bytes) == value)
            let foreign = try JSONSerialization.jsonObject(with: Data(writer.bytes), options: .fragmentsAllowed)
            let rewritten = try JSONSerialization.data(withJSONObject: foreign, options: .fragmentsAllowed)
            #expect(isSame(try JSONValue(parsing: [UInt8](rewritten).span.bytes), value))
        }
    }

    /// RFC 6901's own examples.
    @Test func escapesPointers() {
        #expect(JSONPointer.escape("a/b") == "a~1b")
        #expect(JSONPointer.escape("m~n") == "m~0n")
        #expect(JSONPointer.escape("~1") == "~01")
        #expect(JSONPointer.child(JSONPointer.child("", "messages"), 3) == "/messages/3")
        #expect(JSONPointer.child("", "") == "/")
    }
}

private func text(_ writer: JSONWriter) -> String { String(decoding: writer.bytes, as: UTF8.self) }

private func randomValue(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5)) {
    case 0: .null
    case 1: .bool(.random())
    case 2: .number(String(Int64.random(in: -1_000_000_000_000...1_000_000_000_000)))
    case 3, 4: .string(randomText())
    case 5: .array((0..<Int.random(in: 0..<5)).map { _ in randomValue(depth: depth - 1) })
    default:
        .object(
            (0..<Int.random(in: 0..<5)).map {
                JSONMember(name: "\($0)\(randomText())", value: randomValue(depth: depth - 1))
            })
    }
}

private func randomText() -> String {
    let scalars: [Unicode.Scalar] = ["\"", "\\", "\n", "\0", "a", "b", " ", "/", "é", "€", "😀", "\u{301}", "\u{2028}"]
    var text = ""
    for _ in 0..<Int.random(in: 0..<30) { text.unicodeScalars.append(scalars.randomElement()!) }
    return text
}

/// Equal but for the order of members, which Foundation does not keep.
private func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
    case (.object(let a), .object(let b)):
        a.count == b.count
            && a.allSatisfy { member in b.contains { $0.name == member.name && isSame($0.value, member.value) } }
    default: a == b
    }
}
