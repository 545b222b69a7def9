import StrictJSON

/// Where members stand by their names: a walk while they are few, an index once that would cost.
struct PayloadMemberPlaces {
    private static let walkMax = 16
    private var places: [JSONName: Int] = [:]
    private var indexed = 0

    /// The place of the first member of that name. `members` may have grown since the last call, and have other values.
    mutating func place(of name: String, in members: [PayloadMember]) -> Int? {
        guard members.count > Self.walkMax else { return members.firstIndex { $0.isNamed(name) } }
        for index in self.indexed..<members.count {
            let name = JSONName(members[index].name)
            if self.places[name] == nil { self.places[name] = index }
        }
        self.indexed = members.count
        return self.places[JSONName(name)]
    }
}
