import EventStore
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// Altcraft's SDKs as they really call, over real sockets, and what PostgreSQL holds afterwards.
@Suite(.blocking)
struct DialectAltcraftSDKTests {
    private static let second: UInt64 = 1_000_000_000
    private static let day: UInt64 = 86_400 * Self.second

    /// Every version's delivery and open count for the message itself, and are answered in JSON.
    @Test(arguments: AltcraftPhone.allCases, [false, true])
    func takesEveryVersion(phone: AltcraftPhone, isChunked: Bool) async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let authorization = try await hub.roleToken()
            let message = hub.message(sentAt: hub.now - 20 * Self.second)
            let times: [EventKind: UInt64] = [.ack: hub.now - 15 * Self.second, .open: hub.now - 5 * Self.second]
            for kind in [EventKind.ack, .open] {
                let response = try await hub.post(
                    phone.request(
                        kind, message, authorization: authorization, time: times[kind]!, isChunked: isChunked))
                #expect(response.status == 200)
                #expect(response.text == RunningHub.success)
                #expect(response.headers["content-type"] == "application/json")
                #expect(response.headers["location"] == nil)
            }
            let report = try #require(try await hub.stored(message))
            #expect(report.ackedAt != nil && report.openedAt != nil)
            #expect(report.events.map(\.kind) == [.ack, .open])
            for event in report.events {
                #expect(event.dialect == .msdk && event.eventClass == .human && event.isFirst)
                #expect(event.deviceAt == Int64(times[event.kind]! / Self.second * 1_000_000))
                #expect(event.userAgent == phone.userAgent && event.address == "127.0.0.1" && event.flags.isEmpty)
            }
        }
    }

    /// Replays, an open before its delivery, reports of last month and wrong clocks: all are taken.
    @Test func countsWhatComesLate() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let authorization = try await hub.roleToken()
            // 100 days old: the life of links is not that of reports.
            let message = hub.message(sentAt: hub.now - 100 * Self.day)
            let open = AltcraftPhone.oldIOS.request(.open, message, authorization: authorization, time: hub.now)
            for _ in 0..<3 { #expect(try await hub.post(open).text == RunningHub.success) }
            #expect(try await hub.stored(message)?.ackedAt == nil)
            let clocks: [(time: UInt64, isClamped: Bool)] = [
                (hub.now - 10 * Self.day, false), (hub.now - 91 * Self.day, true), (hub.now + 80 * Self.second, true),
                (hub.now + Self.day, true), (0, true),
            ]
            for clock in clocks {
                // Its Request-ID is the message's own, so the time tells the reports apart.
                let report = AltcraftPhone.oldAndroid.request(
                    .ack, message, authorization: authorization, time: clock.time)
                #expect(try await hub.post(report).text == RunningHub.success)
                let event = try #require(try await hub.stored(message)?.events.last { $0.kind == .ack })
                if clock.time == clocks[0].time {
                    #expect(event.deviceAt == Int64(clock.time / Self.second * 1_000_000) && event.flags.isEmpty)
                }
            }
            let report = try #require(try await hub.stored(message))
            #expect(report.ackedAt != nil && report.openedAt != nil)
            for kind in EventKind.allCases {
                #expect(report.events.count { $0.kind == kind && $0.isFirst } == 1)
            }
            // The same request three times is one open; each of the deliveries named another time.
            #expect(report.events.count { $0.kind == .open } == 1)
            #expect(report.events.count { $0.kind == .ack } == clocks.count)
        }
    }

    /// A clock that is wrong is replaced by the hub's, and the event says so.
    @Test(arguments: [-91 * 86_400, -31 * 86_400, 80, 86_400, 40_000 * 86_400])
    func replacesWrongClocks(offsetSeconds: Int64) async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let authorization = try await hub.roleToken()
            let message = hub.message(sentAt: hub.now - 95 * Self.day)
            let time = UInt64(Int64(hub.now) + offsetSeconds * Int64(Self.second))
            #expect(try await hub.report(.open, message, authorization: authorization, time: time).status == 200)
            let event = try #require(try await hub.stored(message)?.events.first)
            #expect(event.flags == .deviceTimeClamped)
            #expect(event.deviceAt == event.receivedAt)
        }
    }

    /// A time that is missing or no number loses no event.
    @Test func takesReportsWithoutATime() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let authorization = try await hub.roleToken()
            for (index, member) in ["", ",\"time\":null", ",\"time\":\"soon\"", ",\"time\":[1]"].enumerated() {
                let message = hub.message(Int64(index))
                let response = try await hub.report(
                    ["Authorization: \(authorization)"], body: "{\"smid\":\"\(message.text())\"\(member)}",
                    target: "/event/push/delivery/?x")
                #expect(response.text == RunningHub.success)
                let event = try #require(try await hub.stored(message)?.events.first)
                #expect(event.deviceAt == nil && event.flags.isEmpty)
            }
        }
    }

    /// A JSON Web Token of the message's account will do, for each algorithm; so will a token with the scope ingest.
    @Test func takesEveryCredential() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let expiry = hub.now / Self.second + 600
            var credentials = [try await hub.roleToken(scopes: [.ingest, .report])]
            for algorithm in JWTAlgorithm.allCases {
                let signer = try TokenSigner.of(algorithm)
                try await hub.addKey(signer.key(id: algorithm.rawValue, audience: "hub"))
                let claims =
                    "{\"aud\":\"hub\",\"exp\":\(expiry),\"matching\":\"{\\\"db_id\\\":1,\\\"email\\\":\\\"a@b.c\\\"}\"}"
                credentials.append("Bearer " + (try signer.token(claims)))
            }
            for (index, credential) in credentials.enumerated() {
                let message = hub.message(Int64(index))
                #expect(try await hub.report(.ack, message, authorization: credential).text == RunningHub.success)
                #expect(try await hub.stored(message)?.events.count == 1)
            }
        }
    }

    /// A key that was added a moment ago counts: a refusal would be final. A revoked one is refused within a minute.
    @Test func followsTheKeys() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message()
            let other = TokenSigner(secret: [UInt8](repeating: 3, count: 32))
            try await hub.addKey(other.key(id: "first"))
            let first = "Bearer " + (try other.token("{}"))
            #expect(try await hub.report(.ack, message, authorization: first).status == 200)
            // Of an algorithm that has a key already, and of one that has none.
            for signer in [TokenSigner.mac, try TokenSigner.of(.es256)] {
                let token = "Bearer " + (try signer.token("{}"))
                #expect(try await hub.report(.open, message, authorization: token).status == 401)
                try await hub.addKey(signer.key(id: signer.algorithm.rawValue))
                hub.advanceClock(seconds: 5)
                #expect(try await hub.report(.open, message, authorization: token).status == 200)
            }
            let isRevoked = try await hub.hub.services.pool.run { try JWTKeys.revoke(account: 1, id: "first", on: $0) }
            #expect(isRevoked)
            hub.advanceClock(seconds: 60)
            #expect(try await hub.report(.ack, message, authorization: first).status == 401)
        }
    }

    /// So does a key that was added again for another audience.
    @Test func followsTheKeysAudiences() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message()
            let signer = TokenSigner.mac
            try await hub.addKey(signer.key(id: "old", audience: "old"))
            let (old, new) = ("{\"aud\":\"old\"}", "{\"aud\":\"new\"}")
            let known = "Bearer " + (try signer.token(old))
            #expect(try await hub.report(.ack, message, authorization: known).status == 200)
            try await hub.addKey(signer.key(id: "new", audience: "new"))
            hub.advanceClock(seconds: 5)
            let added = "Bearer " + (try signer.token(new))
            #expect(try await hub.report(.ack, message, authorization: added).status == 200)
        }
    }

    /// What else the SDKs call gets a 404 that they can read, whatever it carries: a 5xx would make them ask for ever.
    @Test(arguments: [
        "POST /subscription/push/subscribe/?provider=android-firebase&matching_mode=push_sub&sync=1",
        "POST /subscription/push/update/?provider=ios-apns&subscription_id=7",
        "POST /subscription/push/unsuspend/?provider=ios-apns&subscription_id=7",
        "GET /subscription/push/status/?matching_mode=push_sub", "GET /subscription/push/status?x",
        "POST /profile/update",
        "POST /event/post?i=s&tr=px&t=open&v=2", "GET /event/post",
    ])
    func refusesOtherCalls(line: String) async throws {
        try await RunningHub.run { hub async throws in
            let body = "--b\r\nContent-Disposition: form-data; name=\"tz\"\r\n\r\n-180\r\n--b--\r\n"
            for (fields, body) in [
                (["Authorization: Bearer x", "Content-Type: multipart/form-data; boundary=b"], body), ([], ""),
            ] {
                let lines = ["\(line) HTTP/1.1", "Host: hub.test", "Content-Length: \(body.utf8.count)"] + fields
                let response = try await hub.post(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
                #expect(response.status == 404)
                #expect(
                    response.text == "{\"error\":404,\"error_text\":\"The hub serves reports of push events only.\"}")
                #expect(response.headers["content-type"] == "application/json")
            }
        }
    }
}
