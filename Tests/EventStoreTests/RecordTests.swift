import MessageIDs
import TestSupport
import Testing

@testable import EventStore

/// Spool records: what is written is read back, and nothing else is.
@Suite(.blocking)
struct RecordTests {
    private static func read(_ bytes: [UInt8]) throws -> StoredRecord { try StoredRecord(bytes.span.bytes) }

    private static func event(_ bytes: [UInt8]) throws -> (Event, userAgent: [UInt8]) {
        guard case .event(let event, let offset) = try self.read(bytes) else { throw RecordError("no event") }
        return (event, Array(bytes[offset...]))
    }

    /// Every field at its limits comes back.
    @Test(arguments: [(0, UInt128(0), nil), (4, 0xFFFF_FFFF, 0), (16, UInt128.max, UInt128.max - 1)])
    func eventReadsBackWithEveryField(_ length: Int, _ address: UInt128, _ report: UInt128?) throws {
        let message = SendMessageID(
            account: .max, campaign: .max, resource: .max, channel: Channel(rawValue: 255), subscription: .max,
            profile: ProfileID(.max), sentAt: .max, launchedAt: 0, provider: Provider(rawValue: 255), isTest: true,
            privacy: .dropAddress)
        for kind in EventKind.allCases {
            for eventClass in EventClass.allCases {
                for dialect in EventDialect.allCases {
                    let bytes = Sample.event(kind, message, eventClass: eventClass, userAgent: Array("é".utf8)) {
                        $0.receivedAt = .max
                        $0.deviceAt = kind == .ack ? .max : nil
                        $0.dialect = dialect
                        $0.flags = .all
                        $0.addressLength = length
                        $0.address = address
                        $0.report = report
                    }
                    let (event, userAgent) = try Self.event(bytes)
                    #expect(event.kind == kind && event.eventClass == eventClass && event.dialect == dialect)
                    #expect(event.message == message && event.receivedAt == .max && event.flags == .all)
                    #expect(event.deviceAt == (kind == .ack ? .max : nil))
                    #expect(event.addressLength == length && event.address == address && event.report == report)
                    #expect(userAgent == Array("é".utf8))
                }
            }
        }
    }

    /// A link's event is written as ever: an earlier hub's spool and a later one's have the same bytes. A report's name stands
    /// behind the header.
    @Test func reportsNameIsAllThatANamedRecordAdds() {
        let written: [UInt8] = [
            0x11, 1, 1, 0, 0, 4, 0, 20, 0x15, 0x31, 0x3E, 0x0F, 0xDC, 0xB5, 0x98, 0x18, 0xC0, 0, 2, 1, 1, 7, 5, 2,
            0xE9, 7, 0x96, 0x9A, 0xC9, 0xD9, 0x9B, 0xBB, 0xAD, 0xCC, 0x18, 1, 1, 1, 0, 2,
        ]
        let link = Sample.event(.ack, Sample.message(1), userAgent: [])
        #expect(link == written)
        let nameBytes: [UInt8] = Array(1...16)
        let name = nameBytes.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        func named(_ plain: [UInt8], _ version: UInt8, header: Int) -> [UInt8] {
            [version] + plain[1..<header] + nameBytes + plain[header...]
        }
        let report = Sample.event(.ack, Sample.message(1), userAgent: []) { $0.report = name }
        #expect(report == named(link, 0x13, header: 16))
        let key = Sample.message(1).messageKey
        let keyed = Sample.keyed(.ack, key) { $0.report = name }
        #expect(keyed == named(Sample.keyed(.ack, key), 0x14, header: 39))
    }

    /// A sent count comes back, with and without a request.
    @Test(arguments: [nil, UInt128.max]) func sentCountReadsBack(_ request: UInt128?) throws {
        let bytes = Sample.sent(.max, request: request, provider: 255, isTest: true)
        guard case .sentCount(let sent) = try Self.read(bytes) else { throw RecordError("no sent count") }
        #expect(sent.launch == Sample.launch && sent.resource == 5 && sent.channel == .push)
        #expect(sent.provider.rawValue == 255 && sent.isTest && sent.count == .max && sent.request == request)
        #expect(sent.sentAt == Sample.launchedAt)
    }

    /// An event known by its key comes back with every field at its limits, and its record is as long as it says at most.
    @Test(arguments: [(0, UInt128(0), nil), (4, 0xFFFF_FFFF, 0), (16, UInt128.max, UInt128.max - 1)])
    func keyedEventReadsBackWithEveryField(_ length: Int, _ address: UInt128, _ report: UInt128?) throws {
        for kind in EventKind.allCases {
            for eventClass in EventClass.allCases {
                for dialect in EventDialect.allCases {
                    let key = MessageKey(UInt128.max - UInt128(length))
                    let userAgent = Array(String(repeating: "é", count: 256).utf8)
                    let bytes = Sample.keyed(kind, account: .max, key, eventClass: eventClass, userAgent: userAgent) {
                        $0.receivedAt = .max - 1
                        $0.deviceAt = kind == .ack ? .max : nil
                        $0.dialect = dialect
                        $0.flags = .all
                        $0.addressLength = length
                        $0.address = address
                        $0.report = report
                    }
                    #expect(bytes.count <= KeyedEvent.recordBytesMax)
                    guard case .keyedEvent(let event, let offset) = try Self.read(bytes) else {
                        throw RecordError("no keyed event")
                    }
                    #expect(event.kind == kind && event.eventClass == eventClass && event.dialect == dialect)
                    #expect(event.account == .max && event.key == key && event.flags == .all)
                    #expect(event.receivedAt == .max - 1 && event.deviceAt == (kind == .ack ? .max : nil))
                    #expect(event.addressLength == length && event.address == address && event.report == report)
                    #expect(Array(bytes[offset...]) == userAgent)
                }
            }
        }
    }

    /// A code that no hub writes, an account below 1: place in the record, and the value put there.
    @Test(arguments: [
        (0, 0x11), (0, 0x21), (0, 0x31), (1, 0), (1, 3), (2, 0), (2, 7), (3, 5), (4, 8), (5, 3), (5, 16), (6, 2),
        (15, 0), (22, 0x80),
    ]) func badKeyedEventsAreRefused(_ place: Int, _ value: UInt8) {
        var bytes = Sample.keyed(.open, Sample.message(1).messageKey, userAgent: [])
        bytes[place] = value
        #expect(throws: RecordError.self) { try Self.read(bytes) }
    }

    /// What a message's privacy leaves of an address.
    @Test func privacyLeavesOfAnAddress() {
        let (v4, v6): (UInt128, UInt128) = (0xC000_0241, .max)
        let kept: [(Privacy, UInt128, Int, left: UInt128, Int)] = [
            (.keepAddress, v4, 4, v4, 4), (.keepAddress, v6, 16, v6, 16), (.maskAddress, v4, 4, 0xC000_0200, 4),
            (.maskAddress, v6, 16, v6 << 80, 16), (.maskAddress, 0, 0, 0, 0), (.dropAddress, v4, 4, 0, 0),
            (.anonymous, v6, 16, 0, 0),
        ]
        for (privacy, address, length, left, leftLength) in kept {
            let result = privacy.keptAddress(address, length: length)
            #expect(result.value == left && result.length == leftLength, "\(privacy), \(length)")
        }
        #expect(Privacy.allCases.filter(\.keepsUserAgent) == [.keepAddress, .maskAddress])
    }

    /// A minted message comes back with every field at its limits, and its record has room where it says so.
    @Test(arguments: Privacy.allCases) func mintedMessageReadsBack(_ privacy: Privacy) throws {
        let greatest = SendMessageID(
            account: .max, campaign: .max, resource: .max, channel: Channel(rawValue: 255), subscription: .max,
            profile: ProfileID(.max), sentAt: .max, launchedAt: 0, provider: Provider(rawValue: 255), isTest: true,
            privacy: privacy)
        for message in [greatest, Sample.message(1, privacy: privacy), greatest.asMinted] {
            let bytes = Sample.minted(message)
            guard case .mintedMessage(let minted) = try Self.read(bytes) else { throw RecordError("no message") }
            #expect(minted.message == message)
            #expect(bytes.count <= MintedMessage.recordBytesMax)
        }
    }

    /// A body that no message has: an account of 0, a varint that is longer than it needs, an unknown flag, a byte behind.
    @Test func badMintedMessagesAreRefused() {
        let good = Sample.minted(Sample.message(1))
        var noAccount = good
        noAccount[1] = 0
        var longVarint = good
        longVarint[1] |= 0x80
        longVarint.insert(0, at: 2)
        var unknownFlag = good
        // The flags stand before the launch delay, which is small here.
        unknownFlag[good.count - 2] = 8
        for (index, bytes) in [noAccount, longVarint, unknownFlag, good + [0]].enumerated() {
            #expect(throws: RecordError.self, "case \(index)") { try Self.read(bytes) }
        }
    }

    /// Cut at any length, a record is refused; the user agent's bytes alone may be fewer.
    @Test func truncatedRecordsAreRefused() {
        let event = Sample.event(.ack, Sample.message(1), userAgent: []) { $0.deviceAt = 1 }
        for length in 0..<event.count {
            #expect(throws: RecordError.self, "event of \(length)") { try Self.read(Array(event[..<length])) }
        }
        let sent = Sample.sent(1, request: 2)
        for length in 0..<sent.count {
            #expect(throws: RecordError.self, "sent count of \(length)") { try Self.read(Array(sent[..<length])) }
        }
        #expect(throws: RecordError.self) { try Self.read(sent + [0]) }
        let keyed = Sample.keyed(.ack, Sample.message(1).messageKey, userAgent: []) { $0.deviceAt = 1 }
        for length in 0..<keyed.count {
            #expect(throws: RecordError.self, "keyed event of \(length)") { try Self.read(Array(keyed[..<length])) }
        }
        let named = Sample.event(.ack, Sample.message(1), userAgent: []) { ($0.deviceAt, $0.report) = (1, 2) }
        for length in 0..<named.count {
            #expect(throws: RecordError.self, "named event of \(length)") { try Self.read(Array(named[..<length])) }
        }
        let namedKeyed = Sample.keyed(.ack, Sample.message(1).messageKey, userAgent: []) {
            ($0.deviceAt, $0.report) = (1, 2)
        }
        for length in 0..<namedKeyed.count {
            #expect(throws: RecordError.self, "named keyed event of \(length)") {
                try Self.read(Array(namedKeyed[..<length]))
            }
        }
        let minted = Sample.minted(Sample.message(1))
        for length in 0..<minted.count {
            #expect(throws: RecordError.self, "minted of \(length)") { try Self.read(Array(minted[..<length])) }
        }
    }

    /// A code that no hub writes is refused: place in the record, and the value put there.
    @Test(arguments: [
        (0, 0), (0, 0x15), (0, 0x21), (0, 0x31), (0, 0x32), (1, 0), (1, 3), (2, 0), (2, 7), (3, 5), (4, 8), (5, 3),
        (6, 2), (7, 1), (7, 255),
    ]) func unknownCodesAreRefused(_ place: Int, _ value: UInt8) {
        var bytes = Sample.ack(Sample.message(1))
        bytes[place] = value
        #expect(throws: RecordError.self) { try Self.read(bytes) }
    }

    /// Negative ids and counts, unknown flags: no sent count.
    @Test(arguments: [(1, 4), (11, 0x80), (19, 0x80), (35, 0x80), (51, 0x80)])
    func badSentCountsAreRefused(_ place: Int, _ value: UInt8) {
        var bytes = Sample.sent(1)
        bytes[place] = value
        #expect(throws: RecordError.self) { try Self.read(bytes) }
    }

    /// A buffer with room is not reallocated.
    @Test func appendingUsesTheRoomThereIs() {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * Event.recordBytesMax)
        let before = bytes.withUnsafeBufferPointer { $0.baseAddress }
        bytes.append(contentsOf: [])
        var event = Event(
            kind: .open, message: Sample.message(1), receivedAt: 1, deviceAt: 2, dialect: .msdk, eventClass: .bot)
        event.addressLength = 16
        event.report = 3
        let userAgent = [UInt8](repeating: 0xFF, count: 10_000)
        event.appendRecord(userAgent: userAgent.span.bytes, to: &bytes)
        #expect(bytes.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(bytes.count <= Event.recordBytesMax)
    }

    private static func isClean(_ bytes: [UInt8]) -> Bool { UserAgentText.isClean(bytes.span.bytes) }

    /// User agents as they come, and as they are kept.
    @Test(
        arguments: [
            ("", []),
            ("plain", Array("plain".utf8)),
            ("a\u{FFFD}b", [0x61, 0x00, 0x62]),
            ("a\u{FFFD}b", [0x61, 0xFF, 0x62]),
            ("\u{FFFD}\u{FFFD}\u{FFFD}x", [0xED, 0xA0, 0x80, 0x78]),
            ("\u{FFFD}\u{FFFD}", [0xC0, 0x80]),
            ("\u{FFFD}\u{FFFD}\u{FFFD}", [0xE0, 0x80, 0x80]),
            ("\u{FFFD}A", [0xE2, 0x82, 0x41]),
            ("\u{FFFD}", [0xF0, 0x9F, 0x98]),
            ("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", [0xF4, 0x90, 0x80, 0x80]),
            ("\u{FFFD}", [0x80]),
            ("😀é€\u{10FFFF}", Array("😀é€\u{10FFFF}".utf8)),
        ] as [(String, [UInt8])])
    func userAgentsAreCleaned(_ kept: String, _ sent: [UInt8]) throws {
        var bytes: [UInt8] = []
        ByteWriter.append(to: &bytes, atMost: UserAgentText.bytesMax) {
            UserAgentText.appendCleaned(sent.span.bytes, to: &$0)
        }
        #expect(bytes == Array(kept.utf8))
        #expect(bytes == Array(String(decoding: sent.map { $0 == 0 ? 0xFF : $0 }, as: UTF8.self).utf8))
        #expect(Self.isClean(bytes))
        #expect(Self.isClean(sent) == (bytes == sent))
    }

    /// 512 bytes are kept, and a scalar that would cross the limit is left out whole.
    @Test(arguments: [("a", 512), ("é", 512), ("€", 510), ("😀", 512), ("a€", 512)])
    func longUserAgentsAreCutBetweenScalars(_ unit: String, _ kept: Int) {
        let sent = Array(String(repeating: unit, count: 10_000).utf8)
        var bytes: [UInt8] = []
        ByteWriter.append(to: &bytes, atMost: UserAgentText.bytesMax) {
            UserAgentText.appendCleaned(sent.span.bytes, to: &$0)
        }
        #expect(bytes == Array(sent[..<kept]))
        #expect(!Self.isClean(sent))
    }
}
