import MessageIDs

/// A spool record read back.
enum StoredRecord {
    /// The user agent lies in the record from `userAgentOffset` to its end.
    case event(Event, userAgentOffset: Int)
    case sentCount(SentCount)
    case mintedMessage(MintedMessage)

    /// Reads a record; refuses what `appendRecord` does not write: another version, a bad code, a missing or trailing byte.
    init(_ record: RawSpan) throws(RecordError) {
        guard record.byteCount > 0 else { throw RecordError("an empty record") }
        let version = RecordFormat.load(UInt8.self, from: record, at: 0)
        switch version {
        case RecordFormat.eventVersion1: self = try Self.event(record)
        case RecordFormat.sentCountVersion1: self = .sentCount(try Self.sentCount(record))
        case RecordFormat.mintedMessageVersion1:
            self = .mintedMessage(MintedMessage(message: try Self.message(record.extracting(1..<record.byteCount))))
        default: throw RecordError("unknown type and version \(version)")
        }
    }

    private static func event(_ record: RawSpan) throws(RecordError) -> StoredRecord {
        guard record.byteCount >= RecordFormat.eventHeaderBytes else { throw RecordError("an event cut short") }
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
        let hasDeviceTime = byte(6) == 1
        let bodyLength = Int(byte(7))
        let addressAt = RecordFormat.eventHeaderBytes + (hasDeviceTime ? 8 : 0)
        let bodyAt = addressAt + addressLength
        let userAgentAt = bodyAt + bodyLength
        guard record.byteCount >= userAgentAt else { throw RecordError("an event cut short") }
        guard UserAgentText.isClean(record.extracting(userAgentAt..<record.byteCount)) else {
            throw RecordError("a user agent that is not clean")
        }
        let message = try self.message(record.extracting(bodyAt..<userAgentAt))
        var address: UInt128 = 0
        for index in 0..<addressLength { address = address << 8 | UInt128(byte(addressAt + index)) }
        let event = Event(
            kind: kind, message: message, receivedAt: RecordFormat.load(UInt64.self, from: record, at: 8),
            deviceAt: hasDeviceTime
                ? RecordFormat.load(UInt64.self, from: record, at: RecordFormat.eventHeaderBytes) : nil,
            dialect: dialect, eventClass: eventClass, flags: flags, addressLength: addressLength, address: address)
        return .event(event, userAgentOffset: userAgentAt)
    }

    private static func message(_ body: RawSpan) throws(RecordError) -> SendMessageID {
        do throws(MessageIDError) {
            return try SendMessageID(body: body)
        } catch {
            throw RecordError("a message id that can't be read: \(error.code.name)")
        }
    }

    private static func sentCount(_ record: RawSpan) throws(RecordError) -> SentCount {
        guard record.byteCount >= RecordFormat.sentCountBytes else { throw RecordError("a sent count cut short") }
        func byte(_ offset: Int) -> UInt8 { RecordFormat.load(UInt8.self, from: record, at: offset) }
        let flags = byte(1)
        guard flags & ~(RecordFormat.sentIsTest | RecordFormat.sentHasRequest) == 0 else {
            throw RecordError("unknown sent count flags \(flags)")
        }
        let hasRequest = flags & RecordFormat.sentHasRequest != 0
        guard record.byteCount == RecordFormat.sentCountBytes + (hasRequest ? 16 : 0) else {
            throw RecordError("a sent count of \(record.byteCount) bytes")
        }
        func integer(_ field: Int) -> Int64 { RecordFormat.load(Int64.self, from: record, at: 4 + 8 * field) }
        func time(_ field: Int) -> UInt64 { RecordFormat.load(UInt64.self, from: record, at: 4 + 8 * field) }
        guard integer(0) >= 1, integer(1) >= 0, integer(3) >= 0, integer(5) >= 0 else {
            throw RecordError("a negative id or count")
        }
        return SentCount(
            launch: LaunchID(account: integer(0), campaign: integer(1), launchedAt: time(2)), resource: integer(3),
            channel: Channel(rawValue: byte(2)), provider: Provider(rawValue: byte(3)),
            isTest: flags & RecordFormat.sentIsTest != 0, sentAt: time(4), count: integer(5),
            request: hasRequest
                ? RecordFormat.load(UInt128.self, from: record, at: RecordFormat.sentCountBytes) : nil)
    }
}

/// Why a record can't be read. Holds nothing of the record's content but codes and lengths.
struct RecordError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
