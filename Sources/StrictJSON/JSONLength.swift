/// How long JSON is, without writing it: what a value costs an answer or a payload.
package enum JSONLength {
    /// The bytes that `JSONWriter` writes of the text, quotes included.
    package static func bytes(of text: String) -> Int {
        text.utf8.reduce(2) { $0 + Self.bytes(of: $1) }
    }

    /// The bytes that `JSONWriter` writes of the value; nil above `bytesMax`, beyond which nothing is looked at.
    package static func bytes(of value: JSONValue, atMost bytesMax: Int) -> Int? {
        var room = bytesMax
        return Self.take(value, from: &room) ? bytesMax - room : nil
    }

    private static func bytes(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0a, 0x0c, 0x0d: 2
        case ..<0x20: 6
        default: 1
        }
    }

    /// False when there is not room enough.
    private static func take(_ value: JSONValue, from room: inout Int) -> Bool {
        switch value {
        case .null, .bool(true): return Self.take(4, from: &room)
        case .bool(false): return Self.take(5, from: &room)
        case .number(let text): return Self.take(text.utf8.count, from: &room)
        case .string(let text): return Self.take(text, from: &room)
        case .array(let items):
            guard Self.take(2 + max(items.count - 1, 0), from: &room) else { return false }
            return items.allSatisfy { Self.take($0, from: &room) }
        case .object(let members):
            // Brackets, colons and commas.
            guard Self.take(2 + members.count + max(members.count - 1, 0), from: &room) else { return false }
            return members.allSatisfy { Self.take($0.name, from: &room) && Self.take($0.value, from: &room) }
        }
    }

    private static func take(_ text: String, from room: inout Int) -> Bool {
        text.utf8.count <= room && Self.take(Self.bytes(of: text), from: &room)
    }

    private static func take(_ bytes: Int, from room: inout Int) -> Bool {
        room -= bytes
        return room >= 0
    }
}
