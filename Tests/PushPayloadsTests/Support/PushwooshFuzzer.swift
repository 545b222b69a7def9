import StrictJSON
import TestSupport

/// Random notifications of createMessage: hostile texts in every field, now and then one value that must be refused.
struct PushwooshFuzzer {
    struct Notification {
        var members: [JSONMember] = []
        /// The pointer, below the message, of the only value that is at fault.
        var faultyField: String?

        subscript(_ name: String) -> JSONValue? { self.members.first { $0.name == name }?.value }

        var json: String {
            var json = JSONWriter()
            json.value(.object(self.members))
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private var random: SeededRandom

    init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

    mutating func notification() -> Notification {
        var notification = Notification()
        var fields = Self.fields.filter { _ in self.chance(1, of: 3) }
        fields.shuffle(using: &self.random)
        let faulty = self.chance(1, of: 4) ? fields.randomElement(using: &self.random)?.name : nil
        for field in fields {
            let value = field.name == faulty ? self.wrong(field.kind) : self.right(field.kind)
            notification.members.append(JSONMember(name: field.name, value: value))
        }
        notification.faultyField = faulty
        return notification
    }

    private enum Kind {
        case text, name, link, image, object, androidRoot, iosRoot, flag, badges, ttl, led, priority, delivery, color
        case richMedia, date
    }

    private static let fields: [(name: String, kind: Kind)] = [
        ("content", .text), ("rich_media", .richMedia), ("link", .link), ("data", .object),
        ("android_root_params", .androidRoot), ("android_sound", .name), ("android_header", .text),
        ("android_icon", .name), ("android_custom_icon", .image), ("android_banner", .image),
        ("android_badges", .badges), ("android_gcm_ttl", .ttl), ("android_vibration", .flag), ("android_led", .led),
        ("android_priority", .priority), ("android_delivery_priority", .delivery), ("android_ibc", .color),
        ("android_silent", .flag), ("ios_badges", .badges), ("ios_sound", .name), ("ios_ttl", .ttl),
        ("ios_silent", .flag), ("ios_category_id", .name), ("ios_root_params", .iosRoot), ("apns_trim_content", .flag),
        ("ios_trim_content", .flag), ("ios_title", .text), ("ios_subtitle", .text), ("send_date", .date),
        ("ignore_user_timezone", .flag),
    ]

    private mutating func right(_ kind: Kind) -> JSONValue {
        switch kind {
        case .text: .string(self.chance(1, of: 12) ? self.longText() : self.text(pieces: 12))
        case .name: .string(self.text(pieces: 6))
        case .link: .string(self.pick(["https://example.com/é?a='b'", "app://x/👩‍💻", "tel:+1", "HTTP://e\u{301}"]))
        case .image: .string(self.pick(["https://example.com/e\u{301}.png", "HTTPS://Example.com/a?b='c'"]))
        case .object: self.object(depth: 3)
        case .androidRoot: self.object(depth: 2, hasNulls: false)
        case .iosRoot: self.iosRoot()
        case .flag: self.pick([.bool(true), .bool(false), .number("0"), .number("1"), .string("0"), .string("1")])
        case .badges: self.number(0...999)
        case .ttl: self.number(0...2_419_200)
        case .led: .string(self.pick(["#FF00aa", "#012345"]))
        case .priority: self.number(-2...2)
        case .delivery: .string(self.pick(["high", "normal", "HIGH", "Normal"]))
        case .color: .string(self.pick(["red", "#80FF0000", "#00ff00"]))
        case .richMedia: .string(self.pick(["1E23F-EDCD6", "ab-c", "Zz9-0"]))
        case .date: .string(self.pick(["now", "2026-09-21 10:00", "2028-02-29 23:59:59"]))
        }
    }

    private mutating func wrong(_ kind: Kind) -> JSONValue {
        switch kind {
        case .text: self.pick([.number("1"), .array([]), .string(String(repeating: "é", count: 2049))])
        case .name: self.pick([.bool(true), .object([]), .string(String(repeating: "é", count: 129))])
        case .link:
            self.pick([.number("1"), .string("no link"), .string("a:b\u{2028}"), .string("https://a:b"), .string("")])
        case .image:
            self.pick([
                .number("1"), .string("http://example.com/a.png"), .string("https:///a\n"), .string("https://a%/"),
            ])
        case .object, .androidRoot, .iosRoot: self.pick([.number("1"), .array([]), .string("{}")])
        case .flag: self.pick([.number("2"), .string("true"), .array([]), .number("1e0")])
        case .badges: self.pick([.number("1000"), .number("-1"), .string("５"), .bool(true)])
        case .ttl: self.pick([.number("-1"), .number("2419201"), .string("1s"), .string("")])
        case .led: self.pick([.string("#F00"), .string("#gg0000"), .number("0")])
        case .priority: self.pick([.number("3"), .number("-3"), .string("")])
        case .delivery: self.pick([.string("urgent"), .string(""), .number("1")])
        case .color: self.pick([.string("#F00"), .string("r\u{1}d"), .string("")])
        case .richMedia: self.pick([.string("../x-y"), .string("abc"), .string("ab-c-d"), .number("1")])
        case .date: self.pick([.string("later"), .string("2026-02-29 10:00"), .number("1")])
        }
    }

    private static let pieces = [
        "a", "Z", " ", "0", "\"", "\\", "/", "\n", "\t", "\r", "\u{0}", "\u{1}", "\u{1f}", "\u{7f}", "é", "e\u{301}",
        "\u{200d}", "👩‍💻", "🇩🇪", "\u{2028}", "\u{2029}", "\u{202e}", "שלום", "</script>", "{", "}", "[", ",", ":",
        "null", "\\u0000", "%s", "{{.UID}}", "\u{feff}", "\u{fffd}", "\u{10ffff}", "𝄞", "…",
    ]

    private mutating func text(pieces: Int) -> String {
        let count = Int.random(in: 0...pieces, using: &self.random)
        return (0..<count).map { _ in Self.pieces.randomElement(using: &self.random)! }.joined()
    }

    /// Near what a text may have, so that payloads are too large with or without their other fields.
    private mutating func longText() -> String {
        let bytes = Int.random(in: 2_000...4_096, using: &self.random)
        var text = ""
        while true {
            let piece = self.pick(Self.pieces)
            if text.utf8.count + piece.utf8.count > bytes { return text }
            text += piece
        }
    }

    /// Names are apart in their bytes, and none is one that the hub writes.
    private mutating func object(depth: Int, hasNulls: Bool = true) -> JSONValue {
        let count = Int.random(in: 0...3, using: &self.random)
        let members = (0..<count).map { index in
            JSONMember(name: "\(index)" + self.text(pieces: 3), value: self.value(depth: depth - 1, hasNulls: hasNulls))
        }
        return .object(members)
    }

    private mutating func value(depth: Int, hasNulls: Bool = true) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 5 : 3), using: &self.random) {
        case 0: return .string(self.text(pieces: 6))
        case 1: return .number(self.pick(["0", "-1", "9007199254740993", "1.50e+2", "18446744073709551616", "-0"]))
        case 2: return .bool(self.chance(1, of: 2))
        case 3: return hasNulls ? .null : .string("")
        case 4: return self.object(depth: depth)
        default:
            let count = Int.random(in: 0...3, using: &self.random)
            return .array((0..<count).map { _ in self.value(depth: depth - 1) })
        }
    }

    private mutating func iosRoot() -> JSONValue {
        guard case .object(var members) = self.object(depth: 2, hasNulls: false) else { return .object([]) }
        if self.chance(1, of: 3), case .object(let aps) = self.object(depth: 2, hasNulls: false) {
            members.append(JSONMember(name: "aps", value: .object(aps)))
        }
        members.shuffle(using: &self.random)
        return .object(members)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> JSONValue {
        let digits = String(Int.random(in: range, using: &self.random))
        return self.chance(1, of: 2) ? .number(digits) : .string(digits)
    }

    private mutating func chance(_ count: Int, of total: Int) -> Bool {
        Int.random(in: 0..<total, using: &self.random) < count
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &self.random)! }
}
