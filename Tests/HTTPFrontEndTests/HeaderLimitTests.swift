import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HeaderLimitTests {
    /// Targets of 2 049 and 8 000 bytes pass; 20 481 are 414, though the client is still sending.
    @Test func longTargets() async throws {
        let server = try TestServer()
        for count in [2_049, 8_000] {
            let target = "/" + String(repeating: "a", count: count - 1)
            let text = try await onThread {
                try server.exchange("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            }
            #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(server.seen.targets.last == target)
        }
        let over = String(repeating: "a", count: 20_480)
        let text = try await onThread { try server.exchange("GET /\(over) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(text == Wire.refusal(.requestLine))
        #expect(server.rejections(.requestLine) == 1)
    }

    /// 100 fields pass, 101 are 431; so are more bytes than allowed.
    @Test func manyFields() async throws {
        let server = try TestServer()
        @Sendable func request(fields: Int, value: String = "b") -> String {
            "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + String(repeating: "X: \(value)\r\n", count: fields - 2) + "\r\n"
        }
        #expect(try await onThread { try server.exchange(request(fields: 100)) } == Wire.nowClose)
        #expect(try await onThread { try server.exchange(request(fields: 101)) } == Wire.refusal(.headerCount))
        let large = String(repeating: "v", count: 1_000)
        #expect(
            try await onThread { try server.exchange(request(fields: 40, value: large)) } == Wire.refusal(.headerBytes))
        #expect(server.rejections(.headerCount) == 1)
        #expect(server.rejections(.headerBytes) == 1)
    }

    /// The answer is not lost to a reset while the client goes on sending megabytes.
    @Test func answerSurvivesAClientThatGoesOnSending() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            let sender = try Sender(client, [UInt8](repeating: 0x61, count: 200_000))
            #expect(TestClient.withoutDates(try client.receiveToEnd()) == Wire.refusal(.requestLine))
            sender.join()
        }
    }
}
