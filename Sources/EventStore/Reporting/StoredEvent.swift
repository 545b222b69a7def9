package import MessageIDs

/// An event as it is in the database.
package struct StoredEvent: Sendable, Equatable {
    package var kind: EventKind
    package var isFirst: Bool
    /// UNIX microseconds.
    package var receivedAt: Int64
    /// UNIX microseconds.
    package var deviceAt: Int64?
    package var dialect: EventDialect
    package var eventClass: EventClass
    package var flags: EventFlags
    package var address: String?
    package var userAgent: String?
}
