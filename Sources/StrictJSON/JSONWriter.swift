/// An append-only writer: compact, keys in the order given, valid UTF-8, commas kept right.
///
/// The caller keeps the grammar: `key` before each value inside an object, as many ends as begins.
package struct JSONWriter: Sendable {
    package var bytes: [UInt8] = []
    /// A value stands before the position in the same array, object or text.
    private var needsComma = false

    package init() {}

    /// Empties the buffer and keeps its memory.
    package mutating func reset() {
        self.bytes.removeAll(keepingCapacity: true)
        self.needsComma = false
    }

    /// Ends a line of NDJSON: the next value begins a text of its own.
    package mutating func newline() {
        self.bytes.append(UInt8(ascii: "\n"))
        self.needsComma = false
    }

    package mutating func beginObject() { self.begin(UInt8(ascii: "{")) }
    package mutating func endObject() { self.end(UInt8(ascii: "}")) }
    package mutating func beginArray() { self.begin(UInt8(ascii: "[")) }
    package mutating func endArray() { self.end(UInt8(ascii: "]")) }

    package mutating func key(_ name: String) {
        self.comma()
        self.quoted(name)
        self.bytes.append(UInt8(ascii: ":"))
        self.needsComma = false
    }

    package mutating func string(_ value: String) {
        self.comma()
        self.quoted(value)
    }

    package mutating func number(_ value: Int64) {
        self.comma()
        if value < 0 { self.bytes.append(UInt8(ascii: "-")) }
        self.digits(value.magnitude)
    }

    package mutating func number(_ value: Int) { self.number(Int64(value)) }

    package mutating func number(_ value: UInt64) {
        self.comma()
        self.digits(value)
    }

    /// The shortest text that reads back as `value`; a whole number has no fraction. JSON has no NaN and no infinity:
    /// they trap.
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no NaN and no infinity")
        self.comma()
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        self.bytes.append(contentsOf: text.utf8)
    }

    package mutating func bool(_ value: Bool) {
        self.comma()
        self.bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    }

    package mutating func null() {
        self.comma()
        self.bytes.append(contentsOf: "null".utf8)
    }

    /// A value that is JSON already; not looked into.
    package mutating func raw(_ json: RawSpan) {
        self.comma()
        json.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: self.null()
        case .bool(let value): self.bool(value)
        case .number(let text):
            self.comma()
            self.bytes.append(contentsOf: text.utf8)
        case .string(let text): self.string(text)
        case .array(let items):
            self.beginArray()
            for item in items { self.value(item) }
            self.endArray()
        case .object(let members):
            self.beginObject()
            for member in members {
                self.key(member.name)
                self.value(member.value)
            }
            self.endObject()
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        self.comma()
        self.bytes.append(bracket)
        self.needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        self.bytes.append(bracket)
        self.needsComma = true
    }

    private mutating func comma() {
        if self.needsComma { self.bytes.append(UInt8(ascii: ",")) }
        self.needsComma = true
    }

    private mutating func digits(_ value: UInt64) {
        let start = self.bytes.count
        var rest = value
        repeat {
            self.bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self.bytes[start...].reverse()
    }
}
