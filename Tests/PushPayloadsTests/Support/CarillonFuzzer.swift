import StrictJSON
import TestSupport

/// Random Carillon messages: right in most fields, hostile in their texts, with overrides that reach for everything.
struct CarillonFuzzer {
    struct Case {
        /// In the order written.
        var members: [JSONMember] = []
        /// Whether something was made wrong on purpose.
        var isFaulty = false
        var locale: String?
        var isDocumented = false
        var hasAkUID = false

        var message: JSONValue { .object(self.members) }
    }

    private var random: SeededRandom

    init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

    mutating func next() -> Case {
        var fuzzed = Case()
        fuzzed.locale = self.chance(3) ? nil : self.pick(Self.locales)
        fuzzed.isDocumented = self.chance(4)
        fuzzed.hasAkUID = self.chance(2)
        fuzzed.members = self.textMembers()
        if self.chance(3) { fuzzed.add("ttl", .number(String(self.upTo(2_419_200)))) }
        if self.chance(3) { fuzzed.add("badge", .number(String(self.upTo(999)))) }
        if self.chance(3) { fuzzed.add("priority", .string(self.chance(2) ? "high" : "normal")) }
        if self.chance(3) { fuzzed.add("sound", .string(self.text(of: 6))) }
        if self.chance(3) { fuzzed.add("thread_id", .string("t" + self.plainText())) }
        if self.chance(3) { fuzzed.add("collapse_id", .string("c\"\\é")) }
        if self.chance(2) { fuzzed.add("data", .object(self.scalars())) }
        if self.chance(4) { fuzzed.add("localizations", self.localizations()) }
        if self.chance(2) { fuzzed.add("android", self.androidOverride()) }
        if self.chance(2) { fuzzed.add("apns", .object(self.tree(depth: 4))) }
        // Something to show, whatever else there is.
        if !fuzzed.members.contains(where: { $0.name == "title" }) { fuzzed.add("title", .string("T" + self.text())) }
        if self.chance(5) {
            fuzzed.isFaulty = true
            fuzzed.members.removeAll { $0.name == "title" }
            fuzzed.members.append(self.pick(Self.faults))
        }
        fuzzed.members.shuffle(using: &self.random)
        return fuzzed
    }

    // MARK: Parts

    static let locales = ["fr", "fr-CA", "pt_BR", "PT-br", "pt", "zh-Hant-TW", "ja", "", "de_DE@x=y"]

    private static let faults: [JSONMember] = [
        JSONMember(name: "title", value: .array([])), JSONMember(name: "title", value: .number("1")),
        JSONMember(name: "tittle", value: .string("T")), JSONMember(name: "", value: .string("T")),
    ]

    private mutating func textMembers() -> [JSONMember] {
        var members: [JSONMember] = []
        for name in ["title", "body", "subtitle"] where self.chance(2) {
            members.append(JSONMember(name: name, value: self.chance(9) ? .null : .string("-" + self.text())))
        }
        if self.chance(3) {
            members.append(JSONMember(name: "image", value: .string("https://a.example/\(self.upTo(9))é'.png")))
        }
        return members.filter { $0.name != "title" || !$0.value.isNull }
    }

    private mutating func localizations() -> JSONValue {
        var entries: [JSONMember] = []
        for name in ["fr", "pt-br", "pt", "zh-Hant", "ja_JP", "de-DE"] where self.chance(2) {
            entries.append(JSONMember(name: name, value: .object(self.textMembers())))
        }
        return .object(entries)
    }

    private mutating func scalars() -> [JSONMember] {
        (0..<self.upTo(4)).map { index in JSONMember(name: "\(index)\(self.text(of: 6))", value: self.scalar()) }
    }

    private mutating func androidOverride() -> JSONValue {
        var members = self.tree(depth: 3).filter { !["ttl", "data", "notification"].contains($0.name) }
        if self.chance(3) { members.append(JSONMember(name: "ttl", value: .string("\(self.upTo(9999)).5s"))) }
        if self.chance(2) { members.append(JSONMember(name: "notification", value: .object(self.tree(depth: 2)))) }
        if self.chance(2) {
            let hostile = ["carillon", "_hub_link", "ak_uid", "aps"].filter { _ in self.chance(2) }
            let taken = hostile.map { name in
                JSONMember(name: name, value: name == "aps" ? .string("free") : self.value(depth: 2))
            }
            members.append(JSONMember(name: "data", value: .object(self.scalars() + taken)))
        }
        return .object(members)
    }

    /// Members under names that the payloads have too, and under others.
    private mutating func tree(depth: Int) -> [JSONMember] {
        var names = [
            "aps", "alert", "title", "body", "sound", "badge", "carillon", "delivery_id", "_hub_link", "ak_uid",
            "image",
            "é", "e\u{301}", "x" + self.text(of: 6), "0", "notification", "ttl", "content-available",
        ]
        names.shuffle(using: &self.random)
        return names.prefix(self.upTo(4)).map { name in JSONMember(name: name, value: self.value(depth: depth - 1)) }
    }

    private mutating func value(depth: Int) -> JSONValue {
        guard depth > 0, !self.chance(4) else { return self.chance(5) ? .null : self.scalar() }
        return self.chance(4)
            ? .array([self.scalar(), self.value(depth: depth - 1)]) : .object(self.tree(depth: depth))
    }

    private mutating func scalar() -> JSONValue {
        switch self.upTo(5) {
        case 0: .bool(self.chance(2))
        case 1: .number(self.pick(["0", "-0", "1", "1.50", "-2e+9", "12345678901234567890"]))
        default: .string(self.text(of: self.chance(30) ? 1500 : 6))
        }
    }

    private mutating func plainText() -> String {
        self.text(of: 6).unicodeScalars.filter { $0.properties.generalCategory != .control }.map(String.init).joined()
    }

    private mutating func text() -> String { self.text(of: self.chance(40) ? 300 : 6) }

    private mutating func text(of most: Int) -> String {
        let pieces = [
            "a", "Track it. ", "\"", "\\", "\\\"", "\n", "\t", "\u{0}", "\u{1}", "\u{7F}", "👩‍👩‍👧", "e\u{301}", "é",
            "\u{2028}",
            "\u{202E}שלום\u{202C}", "</script>", "{\"a\":[]}", "\u{FFFF}", "\u{10FFFF}", "\\u0041", "/",
        ]
        return (0..<self.upTo(most)).map { _ in self.pick(pieces) }.joined()
    }

    // MARK: Chance

    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self.random) == 0 }
    private mutating func upTo(_ most: Int) -> Int { Int.random(in: 0...most, using: &self.random) }
    private mutating func pick<Element>(_ items: [Element]) -> Element { items.randomElement(using: &self.random)! }
}

extension CarillonFuzzer.Case {
    fileprivate mutating func add(_ name: String, _ value: JSONValue) {
        self.members.append(JSONMember(name: name, value: value))
    }
}
