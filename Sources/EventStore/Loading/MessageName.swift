import MessageIDs

/// What names a message where its fields are not at hand. In order of the message table's key.
struct MessageName: Hashable, Comparable {
    var account: Int64
    var key: MessageKey

    static func < (left: Self, right: Self) -> Bool { (left.key, left.account) < (right.key, right.account) }
}
