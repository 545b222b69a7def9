import EventStore
import HubLinks
import MessageIDs
import Postgres
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIStreamTests {
    private static func line(_ number: Int, _ more: String = "") -> String {
        "{\"campaign_id\":1,\"provider\":\"android-firebase\",\"profile_id\":\(number),\"subscription_id\":\(number)\(more)}\n"
    }

    /// The next line of an answer, which comes as a piece of its own.
    private static func line(of reader: inout APITestReader) async throws -> JSONValue {
        let piece = try await reader.piece() ?? []
        return try JSONValue(parsing: piece.span.bytes)
    }

    /// Ten thousand lines come back in order, one launch, all counted.
    @Test func answersTenThousandLinesInOrder() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let connection = try hub.connect()
        let body = (0..<10_000).map { Self.line($0) }.joined()
        async let sending: Void = connection.send(Self.head(token, "content-length: \(body.utf8.count)") + body)
        var reader = APITestReader(connection)
        let reply = try await reader.reply()
        try await sending
        #expect(reply.status == 200)
        #expect(reply.header("content-type") == "application/x-ndjson")
        let lines = try reply.lines
        let messages = try lines.map { try SendMessageID(text: $0["uid"]?.text ?? "") }
        #expect(messages.map(\.subscription) == Array(0..<10_000))
        #expect(Set(messages.map(\.launch)).count == 1)
        #expect(Set(messages.map(\.sentAt)).count == 10_000)
        for index in [0, 4_999, 9_999] { try APIMintTests.expect(lines[index], opensTo: messages[index], in: hub) }
        #expect(try await hub.totals(messages[0].launch.text, token)["sent"] == .number("10000"))
    }

    /// A client that waits for each answer before it sends the next line gets it: nothing waits for the end of the body.
    @Test func answersEachLineBeforeTheNext() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let connection = try hub.connect()
        try await connection.send(Self.head(token, "transfer-encoding: chunked"))
        var reader = APITestReader(connection)
        for number in 0..<20 {
            let line = Self.line(number)
            // Cut in the middle of the line, across two chunks.
            let cut = line.utf8.count / 2
            try await connection.send(Self.chunk(line.prefix(cut)) + Self.chunk(line.dropFirst(cut)))
            if number == 0 { #expect(try await reader.head().status == 200) }
            let answer = try await reader.piece() ?? []
            let json = try JSONValue(parsing: answer.span.bytes)
            #expect(try SendMessageID(text: json["uid"]?.text ?? "").subscription == Int64(number))
        }
        try await connection.send("0\r\n\r\n")
        #expect(try await reader.piece() == nil)
    }

    /// A stream may last for days: a key that came meanwhile makes its further links, and a token that was revoked
    /// meanwhile ends it within the minute, like any request.
    @Test func followsKeysAndTokensWhileItLasts() async throws {
        let later = Atomic<UInt64>(0)
        let hub = try await APITestHub.start(
            TestPostgres.shared, now: { Log.systemTime() + later.load(ordering: .relaxed) })
        let token = try await hub.token(1)
        let connection = try hub.connect()
        try await connection.send(Self.head(token, "transfer-encoding: chunked") + Self.chunk(Self.line(1)[...]))
        var reader = APITestReader(connection)
        #expect(try await reader.head().status == 200)
        var answer = try await Self.line(of: &reader)
        #expect(try hub.open(answer["hub_link", "ack"]?.text)?.1.subscription == 1)

        var ring = hub.services.keyRing
        try ring.rotate(createdAt: 1_790_000_001)
        try ring.retire(id: 1)
        hub.services.replaceKeyRing(ring)
        try await connection.send(Self.chunk(Self.line(2)[...]))
        answer = try await Self.line(of: &reader)
        #expect(try hub.open(answer["hub_link", "ack"]?.text)?.1.subscription == 2)

        try await hub.services.pool.run { connection in
            for listed in try Tokens.list(account: 1, on: connection) {
                #expect(try Tokens.revoke(id: listed.id, on: connection))
            }
        }
        later.store(Authenticator.freshNanoseconds, ordering: .relaxed)
        try await connection.send(Self.chunk(Self.line(3)[...]))
        answer = try await Self.line(of: &reader)
        #expect(answer["error", "code"] == .string("invalid_token"))
        #expect(answer["error", "line"] == .number("3"))
        #expect(try await reader.piece() == nil)
    }

    /// A bad line is answered in its place with its number, and counts nothing; blank lines give no answer.
    @Test func answersBadLinesInPlace() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let long = String(repeating: "x", count: LineSplitter.lineBytesMax + 1)
        let body =
            Self.line(1) + "\n" + "not json\n" + "[]\r\n" + "  \t\r\n" + Self.line(2, ",\"typo\":1") + long + "\n"
            + "{\"campaign_id\":1,\"campaign_id\":2}\n" + "\u{0}\n" + Self.line(3).dropLast()
        let lines = try await hub.mintLines(token, body).lines
        let shape = lines.map { line in
            if let error = line["error"] { return "\(Self.number(error["line"])) \(error["code"]?.text ?? "")" }
            return (try? "uid \(SendMessageID(text: line["uid"]?.text ?? "").subscription)") ?? "?"
        }
        #expect(
            shape == [
                "uid 1", "3 malformed_json", "4 invalid_fields", "6 invalid_fields", "7 line_too_long",
                "8 malformed_json",
                "9 malformed_json", "uid 3",
            ])
        #expect(lines[1]["error", "offset"] == .number("1"))
        #expect(lines[3]["error", "errors"]?.items?.first?["pointer"] == .string("/typo"))
        let launch = lines[0]["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("2"))
    }

    /// Each line may be of another campaign, provider, resource and launch; each is counted where it belongs.
    @Test func countsMixedLinesWhereTheyBelong() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        var body = ""
        for round in 0..<300 {
            for campaign in 1...3 {
                body += """
                    {"campaign_id":\(campaign),"provider":\(campaign),"profile_id":1,"subscription_id":\(round),"test":\(round % 10 == 0)}

                    """
            }
        }
        let lines = try await hub.mintLines(token, body).lines
        #expect(lines.count == 900)
        let launches = Set(lines.compactMap { $0["launch_id"]?.text })
        #expect(launches.count == 3)
        for launch in launches {
            #expect(try await hub.totals(launch, token)["sent"] == .number("270"))
            #expect(try await hub.totals(launch, token, query: "?test=include")["sent"] == .number("300"))
        }
    }

    /// No lines, no answers.
    @Test(arguments: ["", "\n", " \r\n\n"])
    func answersNothingToNothing(body: String) async throws {
        let hub = try await APITestHub.shared()
        let reply = try await hub.mintLines(try await hub.token(APITestHub.newAccount()), body)
        #expect(reply.status == 200)
        #expect(reply.body.isEmpty)
    }

    /// A client that goes away in the middle leaves the hub in order.
    @Test func survivesAClientThatGoesAway() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let before = hub.router.metrics.clientsGone
        do {
            let connection = try hub.connect()
            try await connection.send(Self.head(token, "content-length: 1000000") + Self.line(1))
            var reader = APITestReader(connection)
            #expect(try await reader.head().status == 200)
        }
        let isCounted = try await eventually { hub.router.metrics.clientsGone > before }
        #expect(isCounted)
        #expect(try await hub.mintLines(token, Self.line(2)).lines.count == 1)
    }

    private static func head(_ token: String, _ framing: String) -> String {
        "POST /v1/links HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\n"
            + "content-type: application/x-ndjson\r\n\(framing)\r\n\r\n"
    }

    private static func chunk(_ text: Substring) -> String {
        String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
    }

    private static func number(_ value: JSONValue?) -> String {
        guard case .number(let text) = value else { return "?" }
        return text
    }
}
