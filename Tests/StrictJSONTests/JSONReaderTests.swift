import StrictJSON
import TestSupport
import Testing

@Suite(.blocking)
struct JSONReaderTests {
    /// What JavaScript writes of a text that was cut within an emoji can be read where the field does not matter.
    @Test(arguments: [
        (#""a\ud83d""#, "a\u{fffd}"), (#""\ude00b""#, "\u{fffd}b"), (#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (#""\ud83d\n""#, "\u{fffd}\n"), (#""\ud83d\u0041""#, "\u{fffd}A"), (#""\ud83d\ude00""#, "😀"),
    ])
    func replacesLoneSurrogatesWhenAsked(text: String, value: String) throws {
        let read = try JSONValue(parsing: Array(text.utf8).span.bytes, replacesLoneSurrogates: true)
        #expect(read == .string(value))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var code: String
        var offset: Int
        var testDescription: String { "\(self.code)@\(self.offset) \(self.bytes.prefix(24))" }

        init(_ text: String, _ code: String, _ offset: Int) { self.init(Array(text.utf8), code, offset) }

        init(_ bytes: [UInt8], _ code: String, _ offset: Int) {
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }
    }

    static let faults: [Fault] = [
        Fault("", "unexpected_end", 0), Fault(" \n", "unexpected_end", 2), Fault("{", "unexpected_end", 1),
        Fault("[", "unexpected_end", 1), Fault("[1", "unexpected_end", 2), Fault("[1,", "unexpected_end", 3),
        Fault("{\"a\"", "unexpected_end", 4), Fault("{\"a\":", "unexpected_end", 5),
        Fault("{\"a\":1", "unexpected_end", 6), Fault("{\"a\":1,", "unexpected_end", 7),
        Fault("\"abc", "unexpected_end", 4), Fault("\"abcdefghijkl\\", "unexpected_end", 14),
        Fault("\"\\u12", "unexpected_end", 5), Fault("tru", "unexpected_end", 3),
        Fault("nul", "unexpected_end", 3), Fault("[1,]", "unexpected_byte", 3),
        Fault("{\"a\":1,}", "unexpected_byte", 7), Fault("{a:1}", "unexpected_byte", 1),
        Fault("{\"a\" 1}", "unexpected_byte", 5), Fault("{1:1}", "unexpected_byte", 1),
        Fault("[1 2]", "unexpected_byte", 3), Fault("[1}", "unexpected_byte", 2),
        Fault("{\"a\":1]", "unexpected_byte", 6),
        Fault("'a'", "unexpected_byte", 0), Fault("NaN", "unexpected_byte", 0), Fault("Infinity", "unexpected_byte", 0),
        Fault("True", "unexpected_byte", 0), Fault("trUe", "unexpected_byte", 2), Fault("+1", "unexpected_byte", 0),
        Fault(".5", "unexpected_byte", 0), Fault("/* */1", "unexpected_byte", 0), Fault(",", "unexpected_byte", 0),
        Fault([0xef, 0xbb, 0xbf, 0x31], "unexpected_byte", 0), Fault([0x0c, 0x31], "unexpected_byte", 0),
        Fault("-", "bad_number", 0), Fault("[01]", "bad_number", 1), Fault("-01", "bad_number", 0),
        Fault("1.", "bad_number", 0), Fault("1.e5", "bad_number", 0), Fault("1e", "bad_number", 0),
        Fault("1e+", "bad_number", 0), Fault("-a", "bad_number", 0), Fault("00", "bad_number", 0),
        Fault("1 2", "trailing_bytes", 2), Fault("{}}", "trailing_bytes", 2), Fault("1a", "trailing_bytes", 1),
        Fault("0x10", "trailing_bytes", 1), Fault("nullx", "trailing_bytes", 4), Fault("1\0", "trailing_bytes", 1),
        Fault("\"a\\x\"", "bad_escape", 2), Fault("\"\\U0041\"", "bad_escape", 1),
        Fault("\"\\u00g0\"", "bad_escape", 1),
        Fault("\"\\u+123\"", "bad_escape", 1), Fault("\"\\ud800\\u12\"", "bad_escape", 7),
        Fault("\"\\ud800\"", "lone_surrogate", 1), Fault("\"\\udc00\"", "lone_surrogate", 1),
        Fault("\"\\udc00\\ud800\"", "lone_surrogate", 1), Fault("\"\\ud800\\ud800\"", "lone_surrogate", 1),
        Fault("\"\\ud800x\"", "lone_surrogate", 1), Fault("\"\\ud800\\n\"", "lone_surrogate", 1),
        Fault("\"a\nb\"", "control_character", 2), Fault("\"abcdefgh\0\"", "control_character", 9),
        Fault("\"\u{1f}\"", "control_character", 1), Fault("{\"a\tb\":1}", "control_character", 3),
        Fault([0x22, 0x80, 0x22], "invalid_utf8", 1), Fault([0x22, 0x61, 0xff, 0x22], "invalid_utf8", 2),
        Fault([0x22, 0xc0, 0xaf, 0x22], "invalid_utf8", 1), Fault([0x22, 0xe2, 0x82, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0xed, 0xa0, 0x80, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0xe0, 0x80, 0x80, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0xe2, 0x5c, 0x6e, 0x82, 0xac, 0x22], "invalid_utf8", 1),
        Fault([0x22, 0x5c, 0x6e, 0xf0, 0x9f, 0x98, 0x22], "invalid_utf8", 3),
        Fault("{\"a\":1,\"b\":2,\"a\":3}", "duplicate_key", 13), Fault("{\"a\":1,\"\\u0061\":3}", "duplicate_key", 7),
        Fault("[{\"\":1,\"\":1}]", "duplicate_key", 7),
    ]

    /// Every kind of bad text has its own stable code and the offset of the byte at fault.
    @Test(arguments: faults)
    func refuses(_ fault: Fault) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: fault.bytes.span.bytes) }
        #expect(error?.code == fault.code)
        #expect(error?.offset == fault.offset)
    }

    /// No prefix of a valid text is valid, wherever the cut falls in a word of eight.
    @Test func refusesEveryTruncation() throws {
        let text = Array(#"{"k":[1.5e3,"caf\u00e9 😀 long enough to be scanned by words",{"n":null,"t":true}]}"#.utf8)
        _ = try JSONValue(parsing: text.span.bytes)
        for length in 0..<text.count {
            let cut = Array(text[..<length])
            #expect(throws: JSONError.self) { try JSONValue(parsing: cut.span.bytes) }
        }
    }

    /// A control character, a quote or a backslash is found at every place of a word, whatever stands around it.
    @Test(arguments: [UInt8(0x00), 0x1f, 0x0a])
    func findsAControlCharacterAtEveryPlace(_ byte: UInt8) {
        for filler in [UInt8(0x20), 0x21, 0x23, 0x5b, 0x5d, 0x7f] {
            for place in 0..<24 {
                var text = [UInt8(ascii: "\"")] + [UInt8](repeating: filler, count: 24) + [UInt8(ascii: "\"")]
                text[1 + place] = byte
                let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text.span.bytes) }
                #expect(error?.offset == 1 + place)
            }
        }
    }

    /// A million brackets cost one refusal, no stack.
    @Test func refusesDepth() throws {
        for bracket in ["[", "{\"a\":"] {
            let hostile = Array(String(repeating: bracket, count: 1_000_000).utf8)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: hostile.span.bytes, depthMax: 512) }
            #expect(error?.code == "too_deep")
            #expect(error?.offset == 512 * bracket.utf8.count)
        }
        _ = try parse("[[[1]]]", depthMax: 3)
        #expect(throws: JSONError.self) { try parse("[[[[1]]]]", depthMax: 3) }
        _ = try parse("[[],[],[[]]]", depthMax: 3)
    }

    /// A name is found twice among many, too, and names that are only canonically equal are two names.
    @Test func comparesNamesByBytes() throws {
        let many = (0..<1000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let object = try parse("{\(many)}")
        #expect(object["k999"] == .number("999"))
        #expect(object["k1000"] == nil)
        let error = #expect(throws: JSONError.self) { try parse("{\(many),\"k0\":1}") }
        #expect(error?.code == "duplicate_key")
        let accents = try parse("{\"\u{e9}\":1,\"e\u{301}\":2,\(many)}")
        #expect(accents["\u{e9}"]?.int64 == 1)
        #expect(accents["e\u{301}"]?.int64 == 2)
    }

    /// Integers are exact or nil, at the limits of each width; other spellings of a whole number are no integers.
    @Test func readsIntegersExactly() throws {
        #expect(try parse("9223372036854775807").int64 == .max)
        #expect(try parse("-9223372036854775808").int64 == .min)
        #expect(try parse("9223372036854775808").int64 == nil)
        #expect(try parse("9223372036854775808").uint64 == 1 << 63)
        #expect(try parse("18446744073709551615").uint64 == .max)
        #expect(try parse("18446744073709551616").uint64 == nil)
        #expect(try parse("340282366920938463463374607431768211455").uint128 == .max)
        #expect(try parse("340282366920938463463374607431768211456").uint128 == nil)
        #expect(try parse("-1").uint64 == nil)
        #expect(try parse("-0").int64 == 0)
        for text in ["1e3", "1.0", "1E0", "0.0", "\"1\"", "null", "[1]"] { #expect(try parse(text).int64 == nil) }
        #expect(try parse("1e3").double == 1000)
        #expect(try parse("1e400").double == nil)
        #expect(try parse("-0.0e-0") == .number("-0.0e-0"))
    }

    /// Escapes of every kind and raw text of every UTF-8 length give the same string.
    @Test func readsStrings() throws {
        let escaped = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000""#
        #expect(try parse(escaped) == .string("\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{20ac}\u{1f600}\0"))
        #expect(try parse("\"\u{e9}\u{20ac}\u{1f600}\u{2028}\u{7f}\"").text == "\u{e9}\u{20ac}\u{1f600}\u{2028}\u{7f}")
        #expect(try parse("\"\"").text == "")
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            #expect(try parse("\"\(text)\\n\(text)\"").text == text + "\n" + text)
        }
    }

    /// White space of the four kinds is allowed wherever the grammar has it.
    @Test func skipsWhiteSpace() throws {
        let value = try parse(" \t\r\n{ \"a\" : [ 1 , { } , [ ] ] , \"b\" : null } \n")
        #expect(value["a"]?.items == [.number("1"), .object([]), .array([])])
        #expect(value["b"]?.isNull == true)
        #expect(value.members?.map(\.name) == ["a", "b"])
    }
}

func parse(_ text: String, depthMax: Int = 64) throws(JSONError) -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONValue(parsing: bytes.span.bytes, depthMax: depthMax)
}
