import StrictJSON
import TestSupport

/// Random messages of any vendor: texts, JSON values, objects of optional fields. The same seed gives the same message.
struct MessageFuzzer {
    private var random: SeededRandom

    init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { self.number(in: 1...count) == 1 }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[self.number(in: 0...elements.count - 1)]
    }

    /// A text of pieces that writers of JSON get wrong, and of any scalars. Most are short, few are of thousands of bytes.
    mutating func text(piecesMax: Int = 12) -> String {
        let most = self.once(in: 200) ? piecesMax * 100 : piecesMax
        var text = ""
        for _ in 0..<self.number(in: 0...most) { text += self.piece() }
        return text
    }

    private mutating func piece() -> String {
        switch self.number(in: 0...9) {
        case 0...3: return String(Unicode.Scalar(UInt8(self.number(in: 0x20...0x7E))))
        case 4: return String(Unicode.Scalar(UInt8(self.number(in: 0...0x1F))))
        case 5...7: return self.one(of: Self.pieces)
        default: return String(self.scalar())
        }
    }

    /// Any scalar of any plane: noncharacters, unassigned and private ones too.
    private mutating func scalar() -> Unicode.Scalar {
        let plane = self.one(of: [0x7FF, 0xFFFF, 0x10FFFF])
        // A surrogate is no scalar.
        return Unicode.Scalar(UInt32(self.number(in: 0x80...plane))) ?? "\u{FFFD}"
    }

    private static let pieces = [
        "\"", "\\", "\\\\", "\\\"", "\\u0041", "\\n", "\n", "\r\n", "\t", "\0", "\u{8}", "\u{C}", "\u{7F}", "\u{85}",
        "\u{A0}", "\u{2028}", "\u{2029}", "\u{200D}", "\u{FEFF}", "\u{202E}שלום", "مرحبا", "e\u{301}", "é", "ﷺ", "語",
        "👩‍👩‍👧‍👦", "🇺🇦", "👍🏽", "𝒳", "</script>", "{\"a\":\"", "\"}", "[", "]", "{{.Title}}", "%s", "'", "&amp;", "/",
    ]

    /// An absolute address of the scheme, with letters of any script in it.
    mutating func url(_ scheme: String) -> String {
        var url = "\(scheme)://host.example/"
        for _ in 0..<self.number(in: 0...8) { url += self.one(of: Self.urlPieces) }
        return url
    }

    private static let urlPieces = [
        "a", "Z", "0", "-", ".", "_", "~", "/", "?", "#", "&", "=", "%22", "%5C", "'", "(", "é", "e\u{301}", "語", "😀",
    ]

    /// Any JSON value, never nested deeper than `depth`.
    mutating func json(depth: Int = 3) -> JSONValue {
        switch self.number(in: 0...(depth > 0 ? 7 : 5)) {
        case 0: return .bool(self.once(in: 2))
        case 1: return .number(self.one(of: Self.numbers))
        case 2: return .number(String(self.number(in: -1_000_000...1_000_000)))
        case 3, 4: return .string(self.text())
        case 5: return .null
        case 6:
            var items: [JSONValue] = []
            for _ in 0..<self.number(in: 0...4) { items.append(self.json(depth: depth - 1)) }
            return .array(items)
        default: return self.object(namesMax: 4, depth: depth - 1)
        }
    }

    private static let numbers = [
        "0", "-0", "1.50", "1e3", "-2.5E-10", "9223372036854775808", "1234567890123456789012",
    ]

    /// An object of random names and values. No two names have the same bytes.
    mutating func object(namesMax: Int, depth: Int = 2) -> JSONValue {
        var members: [JSONMember] = []
        for _ in 0..<self.number(in: 0...namesMax) {
            let name = self.text(piecesMax: 6)
            guard !members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { continue }
            members.append(JSONMember(name: name, value: self.json(depth: depth)))
        }
        return .object(members)
    }

    /// A field of a vendor's message, and how to make a value of it that is right as a rule.
    typealias Field = (name: String, value: @Sendable (inout MessageFuzzer) -> JSONValue)

    /// Each field or not, in any order; once in `faultEvery` fields the value is any JSON, or the name nobody's.
    mutating func object(of fields: [Field], faultEvery: Int) -> JSONValue {
        var members: [JSONMember] = []
        for field in fields.shuffled(using: &self.random) where self.once(in: 2) {
            let name = self.once(in: 4 * faultEvery) ? field.name + "_" : field.name
            let value = self.once(in: faultEvery) ? self.json() : field.value(&self)
            members.append(JSONMember(name: name, value: value))
        }
        return .object(members)
    }
}
