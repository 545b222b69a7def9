import MessageIDs

/// The codes that both records of an event begin with, after the type.
struct EventHead {
    /// With the type's.
    static let bytes = 7

    var kind: EventKind
    var dialect: EventDialect
    var eventClass: EventClass
    var flags: EventFlags
    var addressLength: Int
    var hasDeviceTime: Bool

    /// `record` has at least ``bytes``.
    init(_ record: RawSpan) throws(RecordError) {
        func byte(_ offset: Int) -> UInt8 { RecordFormat.load(UInt8.self, from: record, at: offset) }
        guard let kind = EventKind(rawValue: byte(1)) else { throw RecordError("unknown kind \(byte(1))") }
        guard let dialect = EventDialect(rawValue: byte(2)) else { throw RecordError("unknown dialect \(byte(2))") }
        guard let eventClass = EventClass(rawValue: byte(3)) else { throw RecordError("unknown class \(byte(3))") }
        let flags = EventFlags(rawValue: byte(4))
        guard EventFlags.all.isSuperset(of: flags) else { throw RecordError("unknown flags \(byte(4))") }
        let addressLength = Int(byte(5))
        guard addressLength == 0 || addressLength == 4 || addressLength == 16 else {
            throw RecordError("an address of \(addressLength) bytes")
        }
        guard byte(6) <= 1 else { throw RecordError("a device time mark of \(byte(6))") }
        self.kind = kind
        self.dialect = dialect
        self.eventClass = eventClass
        self.flags = flags
        self.addressLength = addressLength
        self.hasDeviceTime = byte(6) == 1
    }
}
