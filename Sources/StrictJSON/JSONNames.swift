/// The names of one object, to refuse a second of the same: a walk while they are few, a set once that would cost.
struct JSONNames {
    private static let walkMax = 16
    private var seen: Set<Name> = []

    /// False when `name` is among `members` already.
    mutating func insert(_ name: String, among members: [JSONMember]) -> Bool {
        guard members.count >= Self.walkMax else {
            for member in members where isSameName(member.name, name) { return false }
            return true
        }
        if self.seen.isEmpty { for member in members { self.seen.insert(Name(text: member.name)) } }
        return self.seen.insert(Name(text: name)).inserted
    }

    /// Equal by bytes, unlike `String`.
    private struct Name: Hashable {
        let text: String

        static func == (a: Self, b: Self) -> Bool { isSameName(a.text, b.text) }

        func hash(into hasher: inout Hasher) {
            var text = self.text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}
