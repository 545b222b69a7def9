import EventSpool
import EventStore
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// What Altcraft's SDKs are refused: in the envelope, and nothing of it is stored.
@Suite(.blocking)
struct DialectAltcraftSDKRefusalTests {
    private static let second: UInt64 = 1_000_000_000

    /// `response` is a refusal with this status, which the envelope repeats, and the spool holds what it held.
    private static func expect(
        _ status: Int, _ response: DeviceResponse, _ hub: RunningHub, _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status, comment, sourceLocation: sourceLocation)
        let json = try JSONValue(parsing: response.body.span.bytes)
        #expect(json["error"]?.int64 == Int64(status), comment, sourceLocation: sourceLocation)
        #expect(json["error_text"]?.text?.isEmpty == false, comment, sourceLocation: sourceLocation)
        #expect(json.members?.count == 2, comment, sourceLocation: sourceLocation)
        #expect(response.headers["content-type"] == "application/json", comment, sourceLocation: sourceLocation)
        #expect(hub.hub.spool.durable.offset == 0, comment, sourceLocation: sourceLocation)
    }

    /// No credential, a broken one, one of another account, one that allows other things.
    @Test func refusesBadCredentials() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message(account: 1)
            let good = try await hub.roleToken()
            let bare = String(good.dropFirst("Bearer rtoken@".count))
            let revoked = try await hub.roleToken()
            try await hub.hub.services.pool.run { connection in
                let id = try Tokens.list(account: 1, on: connection).map(\.id).max() ?? 0
                #expect(try Tokens.revoke(id: id, on: connection))
            }
            let body = "{\"time\":1,\"smid\":\"\(message.text())\"}"
            for (status, authorization) in [
                (401, nil), (401, ""), (401, "Bearer"), (401, "Bearer rtoken@"), (401, "Basic cnRva2VuQHg6"),
                (401, "Bearer rtoken@ackhub_2"), (401, "Bearer rtoken@\(bare)x"), (401, "Bearer RTOKEN@\(bare)"),
                (401, "rtoken@\(bare)"), (401, "Bearer \(bare)"), (401, "Bearer a.b.c"), (401, revoked),
                (401, "Bearer rtoken@" + String(repeating: "a", count: 9_000)),
                (401, "Bearer " + String(repeating: "a", count: 20_000)),
                (403, try await hub.roleToken(account: 2)),
                (403, try await hub.roleToken(scopes: [.mint, .report, .admin])),
            ] as [(Int, String?)] {
                let fields = authorization.map { ["Authorization: \($0)"] } ?? []
                let response = try await hub.report(fields, body: body)
                try Self.expect(status, response, hub, "\(authorization?.prefix(60) ?? "none")")
                #expect((response.headers["www-authenticate"] != nil) == (status == 401))
            }
            #expect(hub.hub.router.dialectMetrics.hits.isEmpty)
            let metrics = try await hub.metrics()
            #expect(metrics["ackhub_refused_reports_total{dialect=\"msdk\",reason=\"unauthorized\"}"] == 14)
            #expect(metrics["ackhub_refused_reports_total{dialect=\"msdk\",reason=\"forbidden\"}"] == 2)
            // The same body with a good credential is stored: it was not the body.
            #expect(try await hub.report(["Authorization: \(good)"], body: body).status == 200)
        }
    }

    /// JSON Web Tokens: expired, early, for others, of others, unsigned, confused.
    @Test func refusesBadWebTokens() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let rsa = try TokenSigner.of(.rs256)
            try await hub.addKey(rsa.key(id: "rsa", audience: "hub", issuer: "app"))
            try await hub.addKey(TokenSigner.mac.key(account: 2, id: "mac"))
            let now = Int64(hub.now / Self.second)
            func claims(_ more: String, audience: String = "hub") -> String {
                "{\"iss\":\"app\",\"aud\":\"\(audience)\"\(more)}"
            }
            let good = try rsa.token(claims(",\"exp\":\(now + 600)"))
            let parts = good.split(separator: ".").map(String.init)
            func unsigned(_ algorithm: String) -> String {
                Base64URL.encode(Array("{\"alg\":\"\(algorithm)\"}".utf8)) + ".\(parts[1])."
            }
            let attacker = TokenSigner(secret: try rsa.keyFile)
            let tokens: [(String, String)] = [
                ("expired", try rsa.token(claims(",\"exp\":\(now - 61)"))),
                ("early", try rsa.token(claims(",\"nbf\":\(now + 120)"))),
                ("wrong audience", try rsa.token(claims("", audience: "other"))),
                ("no audience", try rsa.token("{\"iss\":\"app\"}")),
                ("wrong issuer", try rsa.token("{\"iss\":\"other\",\"aud\":\"hub\"}")),
                ("foreign account", try TokenSigner.mac.token(claims(""))),
                (
                    "foreign account's kid",
                    try TokenSigner.mac.token(claims(""), header: "{\"alg\":\"HS256\",\"kid\":\"mac\"}")
                ),
                ("unsigned", unsigned("none")), ("signed by nobody", unsigned("RS256")),
                ("public key as secret", try attacker.token(claims(""))),
                (
                    "public key as secret, kid",
                    try attacker.token(claims(""), header: "{\"alg\":\"HS256\",\"kid\":\"rsa\"}")
                ),
                ("MAC called RS256", try attacker.token(claims(""), header: "{\"alg\":\"RS256\",\"kid\":\"rsa\"}")),
                ("critical", try rsa.token(claims(""), header: "{\"alg\":\"RS256\",\"crit\":[\"exp\"]}")),
                ("not encoded", try rsa.token(claims(""), header: "{\"alg\":\"RS256\",\"b64\":false}")),
                ("other claims", parts[0] + "." + Base64URL.encode(Array(claims("").utf8)) + "." + parts[2]),
                ("padded", good + "="), ("cut", String(good.dropLast())), ("doubled", good + "." + parts[2]),
            ]
            for (what, token) in tokens {
                let response = try await hub.report(.ack, hub.message(), authorization: "Bearer " + token)
                try Self.expect(401, response, hub, "\(what)")
            }
            // An account without a key.
            let stranger = try await hub.report(.ack, hub.message(account: 3), authorization: "Bearer " + good)
            try Self.expect(401, stranger, hub, "an account without a key")
            #expect(try await hub.report(.ack, hub.message(), authorization: "Bearer " + good).status == 200)
        }
    }

    /// Bodies that no repeat makes better, and ids that are no message's.
    @Test func refusesBadBodies() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let authorization = try await hub.roleToken()
            let uid = hub.message().text()
            for (status, body) in [
                (400, ""), (400, "{"), (400, "[]"), (400, "{\"time\":1}"), (400, "{\"smid\":7}"),
                (400, "{\"smid\":\"\(uid)\",\"smid\":\"\(uid)\"}"), (400, "{\"smid\":\"\(uid)\"} {}"),
                (400, "{\"x\":" + String(repeating: "[", count: 60_000)), (400, "{\"smid\":\"a\u{0}b\"}"),
                (404, "{\"smid\":\"\"}"), (404, "{\"smid\":\"\(uid.dropLast())\"}"), (404, "{\"smid\":\"\(uid)open\"}"),
                (413, "{\"smid\":\"\(uid)\",\"x\":\"" + String(repeating: "x", count: 65_536) + "\"}"),
            ] {
                let response = try await hub.report(["Authorization: \(authorization)"], body: body)
                try Self.expect(status, response, hub, "\(body.prefix(60))")
            }
            // Bytes that are no UTF-8, and a body that outgrows its limit without having said so.
            let head = "POST /event/push/open HTTP/1.1\r\nHost: h\r\nAuthorization: \(authorization)\r\n"
            let bad = Array("{\"smid\":\"".utf8) + [0xFF, 0xC0, 0x80] + Array("\"}".utf8)
            try Self.expect(
                400, try await hub.post(Array("\(head)Content-Length: \(bad.count)\r\n\r\n".utf8) + bad), hub,
                "not UTF-8")
            let chunk = "8000\r\n" + String(repeating: " ", count: 0x8000) + "\r\n"
            let endless = head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk + "0\r\n\r\n"
            try Self.expect(413, try await hub.post(Array(endless.utf8)), hub, "too many chunks")
        }
    }

    /// Neither the token in the query nor any credential is logged, whatever the level.
    @Test func keepsCredentialsOutOfTheLog() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url, configure: { $0.logLevel = .debug }) { hub async throws in
            let authorization = try await hub.roleToken()
            let token = String(authorization.dropFirst("Bearer rtoken@".count))
            for credential in [authorization, authorization + "x", "Bearer a.\(token).c"] {
                for phone in AltcraftPhone.allCases {
                    _ = try await hub.post(
                        phone.request(.ack, hub.message(), authorization: credential, time: hub.now))
                }
            }
            _ = try await hub.get("/event/push/open/x?matching_mode=\(token)")
            try await hub.drain()
            #expect(hub.log.all.count >= 2)
            #expect(!hub.log.text.contains(token.dropFirst(7).prefix(12)))
        }
    }
}
