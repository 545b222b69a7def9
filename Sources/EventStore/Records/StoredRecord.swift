import MessageIDs

/// A spool record read back.
enum StoredRecord {
    /// The user agent lies in the record from `userAgentOffset` to its end.
    case event(Event, userAgentOffset: Int)
    /// As above.
    case keyedEvent(KeyedEvent, userAgentOffset: Int)
    case sentCount(SentCount)
    case mintedMessage(MintedMessage)

    /// Reads a record; refuses what `appendRecord` does not write: another version, a bad code, a missing or trailing byte.
    init(_ record: RawSpan) throws(RecordError) {
        guard record.byteCount > 0 else { throw RecordError("an empty record") }
        let version = RecordFormat.load(UInt8.self, from: record, at: 0)
        switch version {
        case RecordFormat.eventVersion1: self = try Self.event(record, isNamed: false)
        case RecordFormat.namedEventVersion1: self = try Self.event(record, isNamed: true)
        case RecordFormat.keyedEventVersion1: self = try Self.keyedEvent(record, isNamed: false)
        case RecordFormat.namedKeyedEventVersion1: self = try Self.keyedEvent(record, isNamed: true)
        case RecordFormat.sentCountVersion1: self = .sentCount(try Self.sentCount(record))
        case RecordFormat.mintedMessageVersion1:
            self = .mintedMessage(MintedMessage(message: try Self.message(record.extracting(1..<record.byteCount))))
        default: throw RecordError("unknown type and version \(version)")
        }
    }

    static func message(_ body: RawSpan) throws(RecordError) -> SendMessageID {
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
