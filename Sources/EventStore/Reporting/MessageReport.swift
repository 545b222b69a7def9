package import MessageIDs

/// What is known of one message.
package struct MessageReport: Sendable, Equatable {
    package var message: SendMessageID
    package var key: MessageKey
    /// First ack, UNIX microseconds.
    package var ackedAt: Int64?
    /// First open that counts, UNIX microseconds.
    package var openedAt: Int64?
    /// In order of receipt.
    package var events: [StoredEvent]
}
