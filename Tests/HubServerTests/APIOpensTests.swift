import EventSpool
import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// `GET /v1/messages/{id}/opens`, at 2026-03-02T10:30:00Z.
@Suite(.blocking)
struct APIOpensTests {
    private static let now = time("2026-03-02T10:30:00Z")
    private static let minute: UInt64 = 60_000_000_000
    private static let hour: UInt64 = 60 * Self.minute

    private static func time(_ text: String) -> UInt64 {
        guard let time = UnixTime.nanoseconds(text: text) else { preconditionFailure("no time: \(text)") }
        return time
    }

    /// One hub for all: its clock stands.
    private static let starting = Task { try await APITestHub.start(TestPostgres.shared, now: { Self.now }) }

    private static func message(
        _ number: Int64, account: Int64, sentAt: UInt64, isTest: Bool = false
    ) -> SendMessageID {
        SendMessageID(
            account: account, campaign: 7, resource: 0, channel: .push, subscription: number,
            profile: ProfileID(UInt128(number)), sentAt: sentAt, launchedAt: sentAt, provider: Provider(rawValue: 30),
            isTest: isTest, privacy: .keepAddress)
    }

    private static func open(
        _ message: SendMessageID, after: UInt64, _ eventClass: EventClass = .human
    ) -> (SendMessageID, UInt64, EventClass) { (message, message.sentAt &+ after, eventClass) }

    private static func append(_ opens: [(SendMessageID, UInt64, EventClass)], to hub: APITestHub) async throws {
        let records = opens.map { message, receivedAt, eventClass in
            var record: [UInt8] = []
            Event(kind: .open, message: message, receivedAt: receivedAt, dialect: .link, eventClass: eventClass)
                .appendRecord(userAgent: Array("test/1".utf8).span.bytes, to: &record)
            return record
        }
        #expect(await hub.services.spool.append(records) == nil)
        try await hub.settle()
    }

    /// `hour opened` of each hour.
    private static func hours(_ target: String, _ token: String, _ hub: APITestHub) async throws -> [String] {
        let reply = try await hub.get(target, token)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.header("cache-control") == "no-store")
        return try (reply.json["hours"]?.items ?? []).map { hour in
            #expect(hour.members?.map(\.name) == ["hour", "opened"])
            return "\(hour["hour"]?.text ?? "") \(hour["opened"]?.int64 ?? -1)"
        }
    }

    /// A launch's messages stand in the hour of their first open that counts, empty hours between, up to the present one.
    @Test func countsALaunchByHours() async throws {
        let hub = try await Self.starting.value
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let sentAt = Self.time("2026-03-02T06:59:59.999999999Z")
        let messages = (1...5).map { Self.message($0, account: account, sentAt: sentAt) }
        let test = Self.message(6, account: account, sentAt: sentAt, isTest: true)
        try await Self.append(
            [
                Self.open(messages[0], after: 0), Self.open(messages[0], after: 2 * Self.hour),
                Self.open(messages[1], after: 1), Self.open(messages[2], after: 59 * Self.minute, .proxy),
                Self.open(messages[3], after: 60 * Self.minute, .bot), Self.open(messages[3], after: 3 * Self.hour),
                Self.open(messages[4], after: 1, .prefetch), Self.open(test, after: 1),
            ], to: hub)
        let target = "/v1/messages/\(messages[0].launch.text)/opens"
        let hours = [6, 7, 8, 9, 10].map { "2026-03-02T\($0 < 10 ? "0" : "")\($0):00:00Z" }
        func expected(_ counts: [Int]) -> [String] { zip(hours, counts).map { "\($0) \($1)" } }
        // The fourth open of 06:59:59.9 + 3 h is still 09:59.
        #expect(try await Self.hours(target, token, hub) == expected([1, 2, 0, 1, 0]))
        #expect(try await Self.hours(target + "?test=include", token, hub) == expected([1, 3, 0, 1, 0]))
        let report = try await hub.totals(messages[0].launch.text, token)
        #expect(report["opened"] == .number("4"))
    }

    /// A message has its first open that counts, by whichever of its names it is asked for.
    @Test func showsAMessagesFirstOpen() async throws {
        let hub = try await Self.starting.value
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let message = Self.message(1, account: account, sentAt: Self.now - 3 * Self.hour, isTest: true)
        try await Self.append(
            [
                Self.open(message, after: 0, .bot), Self.open(message, after: 61 * Self.minute),
                Self.open(message, after: 62 * Self.minute),
            ], to: hub)
        for name in [message.messageKey.text, message.text(.full), message.text(.emailSafe), message.uniqueText] {
            #expect(
                try await Self.hours("/v1/messages/\(name)/opens", token, hub) == [
                    "2026-03-02T07:00:00Z 0", "2026-03-02T08:00:00Z 1", "2026-03-02T09:00:00Z 0",
                    "2026-03-02T10:00:00Z 0",
                ])
        }
    }

    /// 48 hours, whole ones of UTC, and none beside them.
    @Test func endsAfter48Hours() async throws {
        let hub = try await Self.starting.value
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let sentAt = Self.time("2026-02-20T12:34:56Z")
        let messages = (1...4).map { Self.message($0, account: account, sentAt: sentAt) }
        let opens = ["2026-02-20T11:59:59Z", "2026-02-20T12:00:00Z", "2026-02-22T11:59:59Z", "2026-02-22T12:00:00Z"]
        try await Self.append(zip(messages, opens).map { ($0, Self.time($1), .human) }, to: hub)
        let hours = try await Self.hours("/v1/messages/\(messages[0].launch.text)/opens", token, hub)
        #expect(hours.count == 48)
        #expect(hours.first == "2026-02-20T12:00:00Z 1" && hours.last == "2026-02-22T11:00:00Z 1")
        #expect(hours.count { $0.hasSuffix(" 0") } == 46)
        for (message, count) in zip(messages, [0, 48, 48, 0]) {
            let target = "/v1/messages/\(message.messageKey.text)/opens"
            #expect(try await Self.hours(target, token, hub).count == count)
        }
    }

    /// Without an open there is no hour.
    @Test func isEmptyWithoutOpens() async throws {
        let hub = try await Self.starting.value
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let message = Self.message(1, account: account, sentAt: Self.now - Self.hour)
        // A Full id says that there is such a message, whatever is stored.
        #expect(try await hub.get("/v1/messages/\(message.text(.full))/opens", token).text == "{\"hours\":[]}")
        try await Self.append([Self.open(message, after: 1, .bot)], to: hub)
        for name in [message.text(.full), message.messageKey.text, message.launch.text] {
            #expect(try await hub.get("/v1/messages/\(name)/opens", token).text == "{\"hours\":[]}")
        }
    }

    /// Unknown is 404, another account's 403 (where the id tells), another scope's 403.
    @Test func refusesWhatIsNotTheTokens() async throws {
        let hub = try await Self.starting.value
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let message = Self.message(1, account: account, sentAt: Self.now - Self.hour)
        for (name, code) in [
            (message.messageKey.text, "unknown_message"), (message.uniqueText, "unknown_message"),
            (message.launch.text, "unknown_launch"), ("1_2", "unknown_launch"), ("what", "unknown_message"),
            ("01937b1e-0000-7000-8000-000000000001", "unknown_message"),
        ] {
            let reply = try await hub.get("/v1/messages/\(name)/opens", token)
            #expect(reply.status == 404 && reply.code == code, "\(name)")
        }
        try await Self.append([Self.open(message, after: 1)], to: hub)
        let stranger = try await hub.token(APITestHub.newAccount())
        for name in [message.text(.full), message.uniqueText, message.launch.text] {
            #expect(try await hub.get("/v1/messages/\(name)/opens", stranger).code == "wrong_account")
        }
        #expect(try await hub.get("/v1/messages/\(message.messageKey.text)/opens", stranger).status == 404)
        let minter = try await hub.token(account, [.mint])
        #expect(try await hub.get("/v1/messages/\(message.text(.full))/opens", minter).code == "insufficient_scope")
        let faults = try await hub.get("/v1/messages/\(message.text(.full))/opens?test=no&tz=UTC", token).faults
        #expect(Set(faults) == ["test unknown_value", "tz unknown_parameter"])
        let other = try await hub.send("POST", "/v1/messages/\(message.text(.full))/opens", token: token, body: "{}")
        #expect(other.status == 405)
    }
}
