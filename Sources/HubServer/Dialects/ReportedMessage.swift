import MessageIDs

/// The message that a report is of, as far as the report tells.
enum ReportedMessage: Sendable {
    /// By an id that holds all its fields.
    case whole(SendMessageID)
    /// By its key alone, and the account of the credential: the loader looks for the message.
    case key(account: Int64, MessageKey)

    var account: Int64 {
        switch self {
        case .whole(let message): message.account
        case .key(let account, _): account
        }
    }

    var key: MessageKey {
        switch self {
        case .whole(let message): message.messageKey
        case .key(_, let key): key
        }
    }

    /// Whether it was sent more than 5 minutes after `now`, UNIX nanoseconds.
    func isSentAhead(of now: UInt64) -> Bool {
        let bound = now + DeviceHandler.sentAheadNanoseconds
        switch self {
        case .whole(let message): return message.sentAt > bound
        // Anybody can make up a key, whose milliseconds may then be more than 64 bits of nanoseconds hold.
        case .key(_, let key): return key.sentAtMilliseconds > bound / 1_000_000
        }
    }
}
