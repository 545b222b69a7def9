package import MessageIDs

/// One understood hit.
package struct Event: Sendable {
    package var kind: EventKind
    package var message: SendMessageID
    /// UNIX nanoseconds.
    package var receivedAt: UInt64
    /// UNIX nanoseconds by the device's clock, where the dialect has one.
    package var deviceAt: UInt64?
    package var dialect: EventDialect
    package var eventClass: EventClass
    package var flags: EventFlags
    /// 0 (none), 4 or 16 bytes.
    package var addressLength: Int
    /// The address as a number, already masked as the message's privacy says; a version 4 address in the low 32 bits.
    package var address: UInt128
    /// Names the report among the message's of its kind: of reports with the same name one is stored. nil where a repeat can't
    /// be told from a second event.
    package var report: UInt128?

    package init(
        kind: EventKind, message: SendMessageID, receivedAt: UInt64, deviceAt: UInt64? = nil, dialect: EventDialect,
        eventClass: EventClass, flags: EventFlags = [], addressLength: Int = 0, address: UInt128 = 0,
        report: UInt128? = nil
    ) {
        precondition(addressLength == 0 || addressLength == 4 || addressLength == 16, "an address has 0, 4 or 16 bytes")
        self.kind = kind
        self.message = message
        self.receivedAt = receivedAt
        self.deviceAt = deviceAt
        self.dialect = dialect
        self.eventClass = eventClass
        self.flags = flags
        self.addressLength = addressLength
        self.address = address
        self.report = report
    }

    /// Whether it counts towards its message: every ack does, and opens of classes that count.
    var counts: Bool { self.kind == .ack || self.eventClass.countsOpens }
}
