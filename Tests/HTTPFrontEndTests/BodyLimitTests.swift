import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct BodyLimitTests {
    private static func limits() -> HTTPLimits {
        var limits = HTTPLimits()
        limits.bodyBytesMax = 1_000
        return limits
    }

    private static func chunked(_ count: Int) -> String {
        "Transfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "64\r\n\(String(repeating: "x", count: 100))\r\n", count: count / 100)
            + "0\r\n\r\n"
    }

    private static func length(_ count: Int) -> String {
        "Content-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
    }

    /// A dropped body of the limit passes, one byte or chunk more is 413, declared or not.
    @Test(arguments: ["/now", "/later"])
    func droppedBodiesAreLimited(path: String) async throws {
        let server = try TestServer(limits: Self.limits())
        let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        let answer = path == "/now" ? Wire.nowClose : Wire.helloClose
        for body in [Self.length(1_000), Self.chunked(1_000)] {
            #expect(try await onThread { try server.exchange(head + body) } == answer)
        }
        for body in [Self.length(1_001), Self.chunked(1_100), Self.length(100_000)] {
            #expect(try await onThread { try server.exchange(head + body) } == Wire.refusal(.body))
        }
        #expect(server.rejections(.body) == 3)
    }

    /// An endpoint that collects has its own limit; without an answer of its own it is 413.
    @Test func collectedBodiesAreLimited() async throws {
        let server = try TestServer { _, body, writer in
            guard let bytes = try? await body.collect(bytesMax: 500) else { return }
            await writer.respond(HTTPResponse(status: 200, body: Array("\(bytes.count)".utf8)))
        }
        let head = "POST /endpoint HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        #expect(try await onThread { try server.exchange(head + Self.length(500)) }.hasSuffix("\r\n\r\n500"))
        #expect(try await onThread { try server.exchange(head + Self.chunked(600)) } == Wire.refusal(.body))
        #expect(server.rejections(.body) == 1)
    }

    /// A completion that comes after its request was refused is ignored.
    @Test func refusedExchangeIsStale() async throws {
        let server = try TestServer(limits: Self.limits())
        try await onThread {
            let client = try server.connect()
            try client.send("POST /held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(eventually { server.seen.heldCount == 1 })
            try client.send("7d0\r\n" + String(repeating: "x", count: 2_000))
            #expect(TestClient.withoutDates(try client.receive(through: "\r\n\r\nbody\n")) == Wire.refusal(.body))
            server.seen.release()
            #expect(
                try server.exchange("GET /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") == Wire.helloClose)
            client.shutdownSending()
            #expect(try client.receiveToEnd() == "")
        }
    }

    /// An answer given before the body was read keeps the connection when the rest is short, and ends it when it is long.
    @Test func unreadBodies() async throws {
        let server = try TestServer { _, _, writer in await writer.respond(TestHandler.hello) }
        let head = "POST /endpoint HTTP/1.1\r\nHost: a\r\n"
        let next = "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        for body in [Self.length(2_000), Self.chunked(2_000)] {
            #expect(try await onThread { try server.exchange(head + body + next) } == Wire.hello + Wire.nowClose)
        }
        let text = try await onThread { try server.exchange(head + "Content-Length: 1000000\r\n\r\nabc") }
        #expect(text == Wire.helloClose)
    }
}
