import EventSpool
import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// `POST /v1/ingest` as a stream: order, pieces, refusals of the whole and of the rest.
@Suite(.blocking)
struct DialectIngestStreamTests {
    /// Five thousand lines in pieces cut anywhere are answered in order and stored once each.
    @Test func takesThousandsInPieces() async throws {
        let source = try await EventSource(APITestHub.shared(), scopes: [.ingest, .report])
        let messages = (0..<5_000).map { _ in source.message() }
        let body = Array(
            messages.enumerated().map { index, message in
                index % 1_000 == 7 ? "{}\n" : EventSource.line(message.text(), index % 2 == 0 ? "ack" : "open")
            }.joined().utf8)
        let connection = try source.hub.connect()
        try await connection.send(source.head("Transfer-Encoding: chunked"))
        async let sending: Void = {
            var rest = body[...]
            var size = 1
            while !rest.isEmpty {
                let piece = rest.prefix(size)
                try await connection.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
                rest = rest.dropFirst(size)
                size = size * 3 % 99_991
            }
            try await connection.send("0\r\n\r\n")
        }()
        var reader = APITestReader(connection)
        let shape = EventSource.shape(try await reader.reply().lines)
        try await sending
        #expect(
            shape
                == messages.indices.map {
                    $0 % 1_000 == 7 ? "\($0 + 1) invalid_fields /uid required /kind required" : "accepted"
                })
        for index in [0, 1, 7, 4_999] {
            #expect(try await source.stored(messages[index])?.events.count == (index == 7 ? nil : 1))
        }
    }

    /// A sender that waits for each answer gets it: nothing waits for the end of the body.
    @Test func answersEachLineBeforeTheNext() async throws {
        let source = try await EventSource(APITestHub.shared())
        let connection = try source.hub.connect()
        try await connection.send(source.head("Transfer-Encoding: chunked"))
        var reader = APITestReader(connection)
        for number in 0..<5 {
            let line = EventSource.line(source.message().text())
            let cut = line.utf8.count / 2
            try await connection.send(Self.chunk(line.prefix(cut)) + Self.chunk(line.dropFirst(cut)))
            if number == 0 { #expect(try await reader.head().status == 200) }
            #expect(try await reader.piece() == Array("{\"accepted\":true}\n".utf8))
        }
        try await connection.send("0\r\n\r\n")
        #expect(try await reader.piece() == nil)
    }

    /// Whoever may not send, or sends something else, stores nothing.
    @Test func refusesTheWhole() async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message()
        let line = EventSource.line(message.text())
        let reporter = try await source.hub.token(source.account, [.mint, .report, .device, .admin])
        let cases: [(APITestReply, Int, String)] = [
            (try await source.send(line, token: "ackhub_nobody"), 401, "invalid_token"),
            (try await source.send(line, token: reporter), 403, "insufficient_scope"),
            (
                try await source.send(line, headers: ["content-type": "application/json"]), 415,
                "unsupported_media_type"
            ),
            (try await source.send(line, headers: ["content-encoding": "gzip"]), 415, "unsupported_media_type"),
            (
                try await source.hub.send(
                    "POST", "/v1/ingest?dry=1", token: source.token,
                    headers: ["content-type": "application/x-ndjson"], body: line), 422, "invalid_parameters"
            ),
            (try await source.hub.get("/v1/ingest", source.token), 405, "method_not_allowed"),
        ]
        for (reply, status, code) in cases {
            #expect(reply.status == status)
            #expect(reply.code == code)
        }
        #expect(try await source.stored(message) == nil)
    }

    /// No lines, no answers.
    @Test(arguments: ["", "\n", " \r\n\n"])
    func answersNothingToNothing(body: String) async throws {
        let reply = try await EventSource(APITestHub.shared()).send(body)
        #expect(reply.status == 200)
        #expect(reply.body.isEmpty)
    }

    /// A spool without room ends the stream with the line from which on nothing was kept; a further request is 503.
    @Test func saysFromWhichLineNothingIsKept() async throws {
        let hub = try await APITestHub.start(TestPostgres.shared, spoolBytesMax: 1 << 20, loads: false)
        let source = try await EventSource(hub)
        let lines = (0..<300).map { _ in EventSource.line(source.message().text()) }
        let rest = lines[1...].joined()
        let connection = try hub.connect()
        try await connection.send(
            source.head("Content-Length: \(lines[0].utf8.count + rest.utf8.count)") + lines[0])
        var reader = APITestReader(connection)
        #expect(try await reader.head().status == 200)
        #expect(try await reader.piece() == Array("{\"accepted\":true}\n".utf8))

        for bytes in [65_536, 8_192, 1_024, 128, 16, 1] {
            while await hub.services.spool.append([[UInt8](repeating: 0, count: bytes)]) == nil {}
        }
        let kept = hub.services.spool.durable
        try await connection.send(rest)
        let last = try await reader.piece() ?? []
        #expect(EventSource.shape([try JSONValue(parsing: last.span.bytes)]) == ["2 spool_full"])
        #expect(try await reader.piece() == nil)
        let reply = try await source.send(lines[2])
        #expect(reply.status == 503)
        #expect(reply.code == "spool_full")
        #expect(reply.header("retry-after") == "5")
        #expect(hub.services.spool.durable == kept)
        let hit = DialectMetrics.Hit(dialect: .ingest, kind: .ack, eventClass: .human)
        #expect(hub.router.dialectMetrics.hits[hit] == 1)
    }

    /// The longest events of a group fit what the spool keeps whole or not at all.
    @Test func keepsAGroupWhole() {
        let longest = max(Event.recordBytesMax, KeyedEvent.recordBytesMax)
        #expect(IngestedLines.groupEventsMax * (longest + 32) <= 256 << 10)
    }

    /// Without PostgreSQL a sender that is known goes on; afterwards all is there.
    @Test func takesEventsWithoutPostgreSQL() async throws {
        let postgres = try TestPostgres.startPrivate()
        let hub = try await APITestHub.start(postgres)
        let source = try await EventSource(hub)
        let messages = [source.message(), source.message()]
        #expect(try await source.send(EventSource.line(messages[0].text())).status == 200)
        try postgres.stop()
        let reply = try await source.send(EventSource.line(messages[1].text(), "open"))
        #expect(EventSource.shape(try reply.lines) == ["accepted"])
        try postgres.start()
        try await hub.settle()
        let isThere = try await eventually { (try? await source.stored(messages[1])?.events.count) == 1 }
        #expect(isThere)
    }

    private static func chunk(_ text: Substring) -> String {
        String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
    }
}
