import EventSpool
import EventStore
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// Carillon's SDKs as they really call, over real sockets, and what PostgreSQL holds afterwards.
@Suite(.blocking)
struct DialectCarillonTests {
    private static let second: UInt64 = 1_000_000_000
    private static let day: UInt64 = 86_400 * Self.second

    /// From the rendered payload to the report: the id that the payload holds is all that comes back. Links of the same
    /// message, an open before its receipt: one message.
    @Test(arguments: [("carillon-android", CarillonPhone.kotlin), ("carillon-ios", .swift), ("carillon-ios", .okHTTP)])
    func countsARenderedMessage(provider: String, phone: CarillonPhone) async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let rendered = try await Self.render(provider, hub)
            let message = try SendMessageID(text: rendered["uid"]?.text ?? "")
            let id = try #require(try CarillonPhone.deliveryID(in: rendered["payload"]))
            let key = try #require(MessageKey(text: id))
            let mobileKey = try await hub.mobileKey()
            #expect(mobileKey.hasPrefix("carillon_mk_"))
            for type in ["opened", "received"] {
                let response = try await hub.carillon(
                    [CarillonPhone.event(type, key, at: message.sentAt + 1_000_000)], key: mobileKey, from: phone)
                #expect(response.status == 202)
                #expect(response.text == "{\"received\":1}")
                #expect(response.headers["content-type"] == "application/json")
            }
            for kind in EventKind.allCases {
                #expect(try await hub.get(hub.target(kind, message)).status == 204)
            }
            let report = try #require(try await hub.stored(message))
            #expect(report.message == message)
            #expect(report.events.count == 4 && report.events.count(where: \.isFirst) == 2)
            for event in report.events where event.dialect == .carillon {
                #expect(event.deviceAt == Int64((message.sentAt / 1_000_000 + 1) * 1_000))
                #expect(event.userAgent == phone.userAgent && event.address == "127.0.0.1")
                #expect(event.eventClass == .human && event.flags.isEmpty)
            }
            #expect(report.events.count { $0.dialect == .carillon } == 2)
            #expect(try await hub.totals(of: message) == [1, 1, 0, 1, 2, 2])
        }
    }

    private static func render(_ provider: String, _ hub: RunningHub) async throws -> JSONValue {
        let token = try await hub.mobileKey(scopes: [.mint], prefix: .ackhub)
        let body =
            "{\"campaign_id\":7,\"provider\":\"\(provider)\",\"message\":{\"title\":\"Hello\"},"
            + "\"recipients\":[{\"profile_id\":1,\"subscription_id\":1,\"token\":\"a\"}]}"
        let lines = [
            "POST /v1/payloads HTTP/1.1", "Host: hub.test", "Authorization: Bearer \(token)",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)", "", body,
        ]
        let response = try await hub.carillon(Array(lines.joined(separator: "\r\n").utf8))
        #expect(response.status == 200, "\(response.text)")
        let answer = try JSONValue(parsing: response.body.span.bytes)
        return try #require(answer["messages"]?.items?.first)
    }

    /// Batches of every size, empty ones too, and a repeat of the greatest after a lost answer.
    @Test func countsBatches() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let mobileKey = try await hub.mobileKey()
            let sentAt = hub.now - Self.day
            let messages = (1...104).map { hub.message(Int64($0), sentAt: sentAt) }
            await hub.mint(messages)
            var next = 0
            for count in [0, 1, 3, 100] {
                let events = messages[next..<next + count].map {
                    CarillonPhone.event("opened", $0.messageKey, at: sentAt + Self.second)
                }
                next += count
                for _ in 0..<(count == 100 ? 2 : 1) {
                    #expect(try await hub.carillon(events, key: mobileKey).text == "{\"received\":\(count)}")
                }
            }
            #expect(try await hub.totals(of: messages[0]) == [0, 0, 104, 104, 0, 104])
            #expect(try await hub.storedEvents() == (104, 0))
            let metrics = try await hub.metrics()
            #expect(metrics["ackhub_hits_total{dialect=\"carillon\",kind=\"open\",class=\"human\"}"] == 204)
        }
    }

    /// Of reports of one delivery and type the first counts, in a batch, in another call, by another hub; the two types are
    /// two reports.
    @Test func countsTheFirstReport() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let mobileKey = try await hub.mobileKey()
            let message = hub.message(sentAt: hub.now - 600 * Self.second)
            await hub.mint([message])
            func event(_ type: String, after seconds: UInt64) -> String {
                CarillonPhone.event(type, message.messageKey, at: message.sentAt + seconds * Self.second)
            }
            let batch = [event("opened", after: 60), event("received", after: 5), event("opened", after: 61)]
            #expect(try await hub.carillon(batch, key: mobileKey).text == "{\"received\":3}")
            let upperCase = event("opened", after: 62).replacing(
                message.messageKey.text, with: message.messageKey.text.uppercased())
            #expect(try await hub.carillon([upperCase], key: mobileKey, from: .kotlin).text == "{\"received\":1}")
            try await hub.settle()
            try await RunningHub.run(database: database.url) { other async throws in
                #expect(try await other.carillon([event("received", after: 63)], key: mobileKey).status == 202)
                try await other.settle()
            }
            let events = try #require(try await hub.stored(message)).events
            #expect(Set(events.map(\.kind)) == [.ack, .open] && events.count == 2)
            for event in events {
                let seconds: UInt64 = event.kind == .open ? 60 : 5
                #expect(event.deviceAt == Int64((message.sentAt / 1_000_000 + seconds * 1_000) * 1_000))
            }
            #expect(try await hub.totals(of: message) == [0, 1, 0, 1, 1, 1])
        }
    }

    /// No event spoils its batch: what names no message of the account counts nowhere, and the others count.
    @Test func ignoresWhatItDoesNotKnow() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let (own, foreign) = (hub.message(1), hub.message(2, account: 2))
            await hub.mint([own, foreign])
            let key = own.messageKey.text
            let ignored = [
                "{}", "7", "null", "[]", "\"opened\"", "{\"type\":\"opened\"}", "{\"delivery_id\":\"\(key)\"}",
                "{\"type\":\"dismissed\",\"delivery_id\":\"\(key)\"}", "{\"type\":null,\"delivery_id\":\"\(key)\"}",
                "{\"type\":\"OPENED\",\"delivery_id\":\"\(key)\"}", "{\"type\":\"dismissed\",\"x\":\"\\ud83d\"}",
                "{\"type\":[\"opened\"],\"delivery_id\":\"\(key)\"}",
                "{\"type\":\"opened\",\"delivery_id\":\"\"}", "{\"type\":\"opened\",\"delivery_id\":7}",
                "{\"type\":\"opened\",\"delivery_id\":\"\(key.dropLast())\"}",
                "{\"type\":\"opened\",\"delivery_id\":\"{\(key)}\"}",
                "{\"type\":\"opened\",\"delivery_id\":\"\(own.text())\"}",
                // Carillon's own service makes ids of version 7.
                "{\"type\":\"opened\",\"delivery_id\":\"01937b1e-0000-7000-8000-000000000001\"}",
            ]
            let unknown = [
                CarillonPhone.event("opened", foreign.messageKey, at: hub.now),
                CarillonPhone.event("received", hub.message(3).messageKey, at: hub.now),
                // Sent in the year 10889: beyond 64 bits of nanoseconds.
                "{\"type\":\"opened\",\"delivery_id\":\"ffffffff-ffff-8fff-bfff-ffffffffffff\"}",
            ]
            let good = "{\"type\":\"received\",\"delivery_id\":\"\(key)\",\"at\":\"then\",\"more\":{\"a\":[1]}}"
            let batch = ignored + [good] + unknown
            let mobileKey = try await hub.mobileKey()
            #expect(try await hub.carillon(batch, key: mobileKey).text == "{\"received\":\(batch.count)}")
            #expect(try await hub.storedEvents() == (1, 3))
            #expect(try await hub.storedEvents(account: 2) == (0, 0))
            #expect(try await hub.totals(of: own) == [0, 1, 0, 0, 1, 0])
            #expect(try await hub.totals(of: foreign) == [])
            let metrics = try await hub.metrics()
            #expect(metrics["ackhub_ignored_events_total{dialect=\"carillon\"}"] == Double(ignored.count))
            // Nothing but ignored events: there is nothing to store.
            let end = hub.hub.spool.durable.offset
            #expect(try await hub.carillon(ignored, key: mobileKey).text == "{\"received\":\(ignored.count)}")
            #expect(hub.hub.spool.durable.offset == end)
        }
    }

    /// The device's time is kept where it can be; where it lies in the future or too far back, the hub's is.
    @Test func judgesTheDevicesClock() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let mobileKey = try await hub.mobileKey()
            let now = hub.now / Self.second * Self.second
            func text(_ time: UInt64) -> String { "\"\(UnixTime.text(nanoseconds: time, fractionDigitsMin: 3))\"" }
            let (kept, late) = (now - 29 * Self.day, now - 31 * Self.day)
            let cases: [(at: String?, time: UInt64?, isClamped: Bool)] = [
                (text(kept), kept, false), (text(late), nil, true), (text(now + Self.day), nil, true),
                (text(0), nil, true), ("\"1970-01-01T03:00:00+03:00\"", nil, true),
                (text(kept).replacing("Z", with: "+00:00"), kept, false),
                (text(kept).replacing("Z", with: "z"), kept, false),
            ]
            let unreadable = [nil, "null", "\"\"", "1767225600", "\"yesterday\"", "\"2026-02-30T00:00:00Z\"", "[]"]
            let all = cases + unreadable.map { (at: $0, time: UInt64?.none, isClamped: false) }
            let messages = all.indices.map { hub.message(Int64($0), sentAt: late) }
            await hub.mint(messages)
            let events = zip(messages, all).map { message, expected in
                "{\"type\":\"opened\",\"delivery_id\":\"\(message.messageKey.text)\""
                    + (expected.at.map { ",\"at\":\($0)" } ?? "") + "}"
            }
            #expect(try await hub.carillon(events, key: mobileKey).text == "{\"received\":\(events.count)}")
            for (message, expected) in zip(messages, all) {
                let event = try #require(try await hub.stored(message)?.events.first)
                let time = expected.isClamped ? event.receivedAt : expected.time.map { Int64($0 / 1_000) }
                #expect(event.deviceAt == time, "\(expected.at ?? "none")")
                #expect(event.flags == (expected.isClamped ? .deviceTimeClamped : []), "\(expected.at ?? "none")")
            }
        }
    }

    /// Address and user agent are kept as the message's privacy allows, which only the loader knows; a send time ahead of
    /// the hub's clock is told.
    @Test func keepsWhatPrivacyAllows() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let mobileKey = try await hub.mobileKey()
            let expected: [(Privacy, address: String?)] = [
                (.keepAddress, "127.0.0.1"), (.maskAddress, "127.0.0.0"), (.dropAddress, nil), (.anonymous, nil),
            ]
            for (index, (privacy, address)) in expected.enumerated() {
                let minutes: UInt64 = index == 0 ? 4 : 6
                let sentAt = hub.now + minutes * 60 * Self.second
                let message = hub.message(Int64(index), sentAt: sentAt, privacy: privacy).asMinted
                await hub.mint([message])
                let event = CarillonPhone.event("received", message.messageKey, at: hub.now - Self.second)
                #expect(try await hub.carillon([event], key: mobileKey).status == 202)
                let stored = try #require(try await hub.stored(message)?.events.first)
                #expect(stored.address == address)
                #expect(stored.userAgent == (address == nil ? nil : CarillonPhone.swift.userAgent))
                #expect(stored.flags == (index == 0 ? [] : .sentAhead))
            }
        }
    }

    /// The phone may be quicker than the hub that minted the message: its report counts once the message is known.
    @Test func countsWhatComesBeforeItsMessage() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let mobileKey = try await hub.mobileKey()
            let message = hub.message()
            let events = ["received", "opened", "opened"].map {
                CarillonPhone.event($0, message.messageKey, at: hub.now - Self.second)
            }
            #expect(try await hub.carillon(events, key: mobileKey).text == "{\"received\":3}")
            #expect(try await hub.storedEvents().known == 0)
            #expect(try await hub.totals(of: message) == [])
            try await RunningHub.run(database: database.url) { other async throws in
                await other.mint([message])
                try await other.settle()
                let isCounted = try await eventually(within: .seconds(30)) {
                    try await hub.storedEvents() == (2, 0)
                }
                #expect(isCounted)
            }
            #expect(try await hub.totals(of: message) == [0, 1, 0, 1, 1, 1])
        }
    }

    /// A gateway's token will do as well as an app's.
    @Test(arguments: [[.device, .report], [.ingest], [.ingest, .device, .mint]] as [Set<TokenScope>])
    func takesTokensThatMayReport(scopes: Set<TokenScope>) async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let token = try await hub.mobileKey(scopes: scopes, prefix: .ackhub)
            let message = hub.message()
            await hub.mint([message])
            let event = CarillonPhone.event("received", message.messageKey, at: hub.now)
            #expect(try await hub.carillon([event], key: token).status == 202)
            #expect(try await hub.storedEvents() == (1, 0))
        }
    }
}
