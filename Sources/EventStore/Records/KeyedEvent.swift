package import MessageIDs

/// A hit that names its message by the key alone, as Carillon's reports do. The loader looks the message up.
package struct KeyedEvent: Sendable {
    package var kind: EventKind
    /// 1 … 2^63−1.
    package var account: Int64
    package var key: MessageKey
    /// UNIX nanoseconds.
    package var receivedAt: UInt64
    /// UNIX nanoseconds by the device's clock, where the dialect has one.
    package var deviceAt: UInt64?
    package var dialect: EventDialect
    package var eventClass: EventClass
    package var flags: EventFlags
    /// 0 (none), 4 or 16 bytes.
    package var addressLength: Int
    /// The address as a number, whole: the message's privacy is known, and applied, when the event is loaded. A version 4
    /// address in the low 32 bits.
    package var address: UInt128
    /// As ``Event/report``.
    package var report: UInt128?

    package init(
        kind: EventKind, account: Int64, key: MessageKey, receivedAt: UInt64, deviceAt: UInt64? = nil,
        dialect: EventDialect, eventClass: EventClass, flags: EventFlags = [], addressLength: Int = 0,
        address: UInt128 = 0, report: UInt128? = nil
    ) {
        precondition(account >= 1, "an account is 1 … 2^63−1")
        precondition(addressLength == 0 || addressLength == 4 || addressLength == 16, "an address has 0, 4 or 16 bytes")
        self.kind = kind
        self.account = account
        self.key = key
        self.receivedAt = receivedAt
        self.deviceAt = deviceAt
        self.dialect = dialect
        self.eventClass = eventClass
        self.flags = flags
        self.addressLength = addressLength
        self.address = address
        self.report = report
    }

    var messageName: MessageName { MessageName(account: self.account, key: self.key) }

    /// The same event with its message, and as much of the address as that allows.
    func event(of message: SendMessageID) -> Event {
        let address = message.privacy.keptAddress(self.address, length: self.addressLength)
        return Event(
            kind: self.kind, message: message, receivedAt: self.receivedAt, deviceAt: self.deviceAt,
            dialect: self.dialect, eventClass: self.eventClass, flags: self.flags, addressLength: address.length,
            address: address.value, report: self.report)
    }
}
