import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIPayloadStreamTests {
    /// Five thousand lines, sent in pieces that are cut anywhere, come back in order while the client still sends.
    @Test func answersThousandsInPieces() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = Array((0..<5_000).map { PayloadBody.line($0) }.joined().utf8)
        let connection = try hub.connect()
        try await connection.send(
            "POST /v1/payloads HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\n"
                + "content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n")
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
        let reply = try await reader.reply()
        try await sending
        let lines = try reply.lines
        #expect(APIPayloadTests.shape(lines) == (0..<5_000).map { "token-\($0)" })
        let launch = lines[0]["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("5000"))
    }

    /// No piece of the answer is longer than a group and a line, although one read of the body brings far more.
    @Test func endsAGroupAtItsBytes() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = (0..<3_000).map { PayloadBody.line($0, ",\"style\":\"crypto_post_events\"") }.joined()
        let connection = try hub.connect()
        async let sending: Void = connection.send(
            "POST /v1/payloads HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\n"
                + "content-type: application/x-ndjson\r\ncontent-length: \(body.utf8.count)\r\n\r\n" + body)
        var reader = APITestReader(connection)
        var reply = try await reader.head()
        var longest = 0
        while let piece = try await reader.piece() {
            longest = max(longest, piece.count)
            reply.body += piece
        }
        try await sending
        #expect(APIPayloadTests.shape(try reply.lines) == (0..<3_000).map { "token-\($0)" })
        #expect(longest < LineGroup<MintedLines<PayloadLine>>.bytesMax + (8 << 10))
    }

    /// Each bad line is answered in its place, by number, and counts nothing.
    @Test func answersBadLinesInPlace() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let nested = String(repeating: "{\"a\":", count: 64) + "1" + String(repeating: "}", count: 64)
        let long = String(repeating: "x", count: LineSplitter.lineBytesMax)
        let bad: [(line: String, answer: String)] = [
            (PayloadBody.line(0, provider: "77"), "invalid_fields /provider"),
            (PayloadBody.line(0, message: "{}"), "empty_payload /message"),
            (
                PayloadBody.line(0, ",\"template\":\"x\",\"ak_uid\":0", message: "{\"title\":1}"),
                "invalid_fields /template /ak_uid /message/title"
            ),
            (PayloadBody.line(0, ",\"recipients\":[]"), "invalid_fields /recipients"),
            (
                PayloadBody.line(0, message: "{\"title\":\"a\",\"image\":\"x\"}"),
                "invalid_image_url /message/image"
            ),
            (
                "{\"campaign_id\":1,\"provider\":1}\n",
                "invalid_fields /message /profile_id /subscription_id /token"
            ),
            (PayloadBody.line(0, message: "{\"body\":\"\(long.prefix(4_096))\"}"), "payload_too_large /message"),
            (PayloadBody.line(0, message: nested), "malformed_json"),
            (PayloadBody.line(0, message: "{\"body\":\"\(long)\"}"), "line_too_long"),
            (
                "{\"provider\":3,\"campaign_id\":7,\"message\":{\"title\":\"a\"},\"profile_id\":1,\"subscription_id\":1,"
                    + "\"token\":\"/topics/a\"}\n", "invalid_fields /token"
            ),
        ]
        let body = bad.enumerated().map { PayloadBody.line($0.offset + 1) + $0.element.line }.joined()
        let lines = try await hub.renderLines(token, body).lines
        let expected = bad.enumerated().flatMap { ["token-\($0.offset + 1)", $0.element.answer] }
        #expect(APIPayloadTests.shape(lines) == expected)
        for (index, line) in lines.enumerated() where index % 2 == 1 {
            #expect(line["error", "line"] == .number("\(index + 1)"))
        }
        let launch = lines[0]["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("\(bad.count)"))
    }

    /// Every line gets its own message's payload, also when the next one's differs by what Unicode calls no difference,
    /// and when a refused one comes between.
    @Test func keepsMessagesApart() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let titles = ["e\u{301}", "\u{E9}", "\u{E9}", "", "", "e\u{301}"]
        let body = titles.map { PayloadBody.line(1, message: "{\"title\":\"\($0)\"}") }.joined()
        let lines = try await hub.renderLines(token, body).lines
        let rendered = lines.map { line in
            line["payload", "message"]?["android", "data"]?["_title"]?.text.map { Array($0.utf8) } ?? []
        }
        #expect(rendered == titles.map { Array($0.utf8) })
        #expect(lines.map { $0["error", "code"]?.text } == titles.map { $0.isEmpty ? "empty_payload" : nil })
        let documented = try await hub.renderLines(
            token,
            PayloadBody.line(1, message: "{\"title\":\"a\",\"ttl\":60}")
                + PayloadBody.line(1, ",\"template\":\"documented\"", message: "{\"title\":\"a\",\"ttl\":60}")
                + PayloadBody.line(1, ",\"ak_uid\":true", message: "{\"title\":\"a\",\"ttl\":60}")
        ).lines
        #expect(documented[0]["uid"] == documented[1]["uid"])
        #expect(documented[0]["payload"] != documented[1]["payload"])
        #expect(documented[2]["payload", "message"]?["android", "data"]?["ak_uid"] == documented[2]["uid"])
        #expect(documented[0]["payload", "message"]?["android", "data"]?["ak_uid"] == nil)
    }

    /// A stream repeats byte for byte under its key and is counted once; a bad line keeps the others' times.
    @Test func repeatsUnderItsKey() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = (0..<300).map { number in
            number % 7 == 3
                ? "{}\n"
                : "{\"campaign_id\":1,\"provider\":3,\"message\":{\"title\":\"a\"},\"profile_id\":1,"
                    + "\"subscription_id\":\(number),\"token\":\"t\"}\n"
        }.joined()
        let first = try await hub.renderLines(token, body, key: "stream")
        #expect(try await hub.renderLines(token, body, key: "stream").text == first.text)
        let lines = try first.lines
        #expect(lines.count == 300)
        let sent = lines.filter { $0["error"] == nil }.count
        #expect(try await hub.totals(lines[0]["launch_id"]?.text ?? "", token)["sent"] == .number("\(sent)"))
    }
}
