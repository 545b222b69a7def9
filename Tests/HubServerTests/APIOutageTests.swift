import EventSpool
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// What the API does while PostgreSQL or the spool's disk is away.
@Suite(.blocking)
struct APIOutageTests {
    private static let body =
        "{\"campaign_id\":1,\"provider\":1,\"messages\":[{\"profile_id\":1,\"subscription_id\":1}]}"
    private static let line = "{\"campaign_id\":1,\"provider\":1,\"profile_id\":1,\"subscription_id\":1}\n"

    /// Without PostgreSQL known tokens go on minting; what needs it is 503 with Retry-After; afterwards all is counted.
    @Test func mintsWithoutPostgreSQL() async throws {
        let postgres = try TestPostgres.startPrivate()
        let hub = try await APITestHub.start(postgres)
        let token = try await hub.token(7)
        let first = try await hub.mint(token, Self.body)
        #expect(first.status == 200)
        try postgres.stop()
        let launchedAt = "\"launched_at\":\"2026-03-01T00:00:00Z\","
        for _ in 0..<5 {
            #expect(try await hub.mint(token, "{\(launchedAt)" + Self.body.dropFirst()).status == 200)
            #expect(try await hub.mintLines(token, Self.line).lines.count == 1)
        }
        let keyed = try await hub.mint(token, Self.body, key: "k")
        let lines = try await hub.mintLines(token, Self.line, key: "k")
        let report = try await hub.get("/v1/reports/campaigns", token)
        let unknown = try await hub.get("/v1/reports/campaigns", "ackhub_unknown")
        for reply in [keyed, lines, report, unknown] {
            #expect(reply.status == 503)
            #expect(reply.code == "database_unavailable")
            #expect(reply.header("retry-after") == "5")
        }
        try postgres.start()
        try await hub.settle()
        // The pool tries the database anew a second after its last failure.
        let isBack = try await eventually { try await hub.get("/v1/reports/campaigns", token).status == 200 }
        #expect(isBack)
        let campaigns = try await hub.get("/v1/reports/campaigns", token).json
        #expect(campaigns["items"]?.items?.first?["sent"] == .number("11"))
        #expect(try await hub.mint(token, Self.body, key: "k").status == 200)
    }

    /// A spool without room refuses what would have to be counted: a request with 503, a stream with its last line, and
    /// neither is counted.
    @Test func refusesWhatItCannotCount() async throws {
        let hub = try await APITestHub.start(TestPostgres.shared, spoolBytesMax: 1 << 20, loads: false)
        let token = try await hub.token(7)
        let connection = try hub.connect()
        try await connection.send(
            "POST /v1/links HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\n"
                + "content-type: application/x-ndjson\r\ncontent-length: \(2 * Self.line.utf8.count)\r\n\r\n\(Self.line)"
        )
        var reader = APITestReader(connection)
        #expect(try await reader.head().status == 200)
        #expect(try await reader.piece() != nil)

        // Until not even a small record finds room.
        for bytes in [65_536, 8_192, 1_024, 128, 16, 1] {
            while await hub.services.spool.append([[UInt8](repeating: 0, count: bytes)]) == nil {}
        }

        try await connection.send(Self.line)
        let lastLine = try await reader.piece() ?? []
        let last = try JSONValue(parsing: lastLine.span.bytes)
        #expect(last["error", "code"] == .string("spool_full"))
        #expect(last["error", "line"] == .number("2"))
        #expect(try await reader.piece() == nil)
        for reply in [try await hub.mint(token, Self.body), try await hub.mintLines(token, Self.line)] {
            #expect(reply.status == 503)
            #expect(reply.code == "spool_full")
            #expect(reply.header("retry-after") == "5")
        }
        #expect(hub.router.metrics.messagesMinted == 1)
    }

    /// The API is found below the public URL's own path, whether a front proxy strips that or not.
    @Test func answersBelowThePublicPath() async throws {
        let hub = try await APITestHub.start(TestPostgres.shared, publicURL: "https://hub.example/push")
        let token = try await hub.token(1)
        for prefix in ["", "/push"] {
            #expect(try await hub.get(prefix + "/v1/decode?id=2_4S_4HFn8RDhhmA", token).status == 200)
        }
        #expect(try await hub.get("/pushv1/decode?id=2_4S_4HFn8RDhhmA", token).status == 404)
        let links = try (await hub.mint(token, Self.body).json)["messages"]?.items?.first?["hub_link"]
        let ack = links?["ack"]?.text ?? ""
        #expect(ack.hasPrefix("https://hub.example/push/ack/"))
        #expect(try await hub.get("/v1/decode?id=\(ack)", token).json["kind"] == .string("ack"))
    }
}
