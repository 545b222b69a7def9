/// The names of one object, to refuse a second of the same: a walk while they are few, a set once that would cost.
struct JSONNames {
    private static let walkMax = 16
    private var seen: Set<JSONName> = []

    /// False when `name` is among `members` already.
    mutating func insert(_ name: String, among members: [JSONMember]) -> Bool {
        guard members.count >= Self.walkMax else {
            for member in members where isSameName(member.name, name) { return false }
            return true
        }
        if self.seen.isEmpty { for member in members { self.seen.insert(JSONName(member.name)) } }
        return self.seen.insert(JSONName(name)).inserted
    }
}
