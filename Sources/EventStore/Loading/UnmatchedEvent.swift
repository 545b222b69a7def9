import MessageIDs

/// A parked event's row, without its record.
struct UnmatchedEvent {
    /// Its place in the order of the primary key.
    struct ID {
        var message: MessageName
        var event: Int64

        /// Before every row.
        static let first = ID(message: MessageName(account: 0, key: MessageKey(0)), event: 0)
    }

    var id: ID
    /// UNIX microseconds.
    var receivedAt: Int64
}
