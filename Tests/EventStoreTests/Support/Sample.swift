import MessageIDs

@testable import EventStore

/// Messages and records of one launch, 2026-03-01T12:00:00.123456789Z.
enum Sample {
    static let launchedAt: UInt64 = 1_772_366_400_123_456_789
    static let second: UInt64 = 1_000_000_000
    static let day: UInt64 = 86_400 * second
    static let launch = LaunchID(account: 1, campaign: 7, launchedAt: launchedAt)

    static func message(
        _ number: Int, account: Int64 = 1, campaign: Int64 = 7, launchedAt: UInt64 = Sample.launchedAt,
        sentAt: UInt64? = nil, provider: UInt8 = 1, isTest: Bool = false, privacy: Privacy = .keepAddress
    ) -> SendMessageID {
        SendMessageID(
            account: account, campaign: campaign, resource: 5, channel: .push, subscription: Int64(1000 + number),
            profile: ProfileID(UInt128(number)), sentAt: sentAt ?? launchedAt + UInt64(number), launchedAt: launchedAt,
            provider: Provider(rawValue: provider), isTest: isTest, privacy: privacy)
    }

    static func event(
        _ kind: EventKind, _ message: SendMessageID, after seconds: UInt64 = 10, eventClass: EventClass = .human,
        userAgent: [UInt8] = Array("okhttp/4.12.0".utf8), change: (inout Event) -> Void = { _ in }
    ) -> [UInt8] {
        var event = Event(
            kind: kind, message: message, receivedAt: Sample.launchedAt + seconds * second, dialect: .link,
            eventClass: eventClass, addressLength: 4, address: 0xC000_0201)
        change(&event)
        var bytes: [UInt8] = []
        event.appendRecord(userAgent: userAgent.span.bytes, to: &bytes)
        return bytes
    }

    static func ack(_ message: SendMessageID, after seconds: UInt64 = 10) -> [UInt8] {
        self.event(.ack, message, after: seconds)
    }

    static func open(
        _ message: SendMessageID, after seconds: UInt64 = 20, eventClass: EventClass = .human
    ) -> [UInt8] {
        self.event(.open, message, after: seconds, eventClass: eventClass)
    }

    /// The event by a dialect whose reports have names.
    static func report(
        _ name: UInt128, _ kind: EventKind, _ message: SendMessageID, after seconds: UInt64 = 10,
        eventClass: EventClass = .human
    ) -> [UInt8] {
        self.event(kind, message, after: seconds, eventClass: eventClass) {
            $0.dialect = .msdk
            $0.report = name
        }
    }

    /// The event as a device reports it that knows the message's key alone; from 192.0.2.65.
    static func keyed(
        _ kind: EventKind, account: Int64 = 1, _ key: MessageKey, after seconds: UInt64 = 10,
        eventClass: EventClass = .human, userAgent: [UInt8] = Array("carillon-swift/1.4".utf8),
        change: (inout KeyedEvent) -> Void = { _ in }
    ) -> [UInt8] {
        var event = KeyedEvent(
            kind: kind, account: account, key: key, receivedAt: Sample.launchedAt + seconds * second,
            dialect: .carillon, eventClass: eventClass, addressLength: 4, address: 0xC000_0241)
        change(&event)
        var bytes: [UInt8] = []
        event.appendRecord(userAgent: userAgent.span.bytes, to: &bytes)
        return bytes
    }

    static func minted(_ message: SendMessageID) -> [UInt8] {
        var bytes: [UInt8] = []
        MintedMessage(message: message).appendRecord(to: &bytes)
        return bytes
    }

    static func sent(
        _ count: Int64, request: UInt128? = nil, after seconds: UInt64 = 0, launch: LaunchID = Sample.launch,
        provider: UInt8 = 1, isTest: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        SentCount(
            launch: launch, resource: 5, channel: .push, provider: Provider(rawValue: provider), isTest: isTest,
            sentAt: launch.launchedAt &+ seconds * second, count: count, request: request
        ).appendRecord(to: &bytes)
        return bytes
    }
}
