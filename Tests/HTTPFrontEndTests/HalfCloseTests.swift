import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HalfCloseTests {
    /// A client that shuts its sending side after the request is still answered, at once or later.
    @Test(arguments: ["/now", "/later", "/endpoint"])
    func isStillAnswered(path: String) async throws {
        let server = try TestServer { _, _, writer in await writer.respond(TestHandler.hello) }
        try await onThread {
            let client = try server.connect()
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            client.shutdownSending()
            let text = TestClient.withoutDates(try client.receiveToEnd())
            #expect(text == (path == "/now" ? Wire.now : Wire.hello))
        }
    }

    /// One that waits for the group when the client shuts its side is answered, too.
    @Test func heldExchangeIsStillAnswered() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.seen.heldCount == 1 })
            client.shutdownSending()
            server.seen.release()
            #expect(TestClient.withoutDates(try client.receiveToEnd()) == Wire.hello)
        }
    }

    /// The end in the middle of a head or a body ends the connection, metered, answered by nobody.
    @Test(arguments: ["GET /now HT", "POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc"])
    func endWithinAMessageIsTruncation(text: String) async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            try client.send(text)
            client.shutdownSending()
            _ = try? client.receiveToEnd()
        }
        #expect(eventually { server.rejections(.truncated) == 1 })
        #expect(eventually { server.server.metrics.connectionsOpen == 0 })
        #expect(server.server.metrics.responses.isEmpty)
    }

    /// A client that resets while its exchange waits: the completion is ignored, the slot serves others.
    @Test func completionForAGoneClientIsIgnored() async throws {
        let server = try TestServer()
        try await onThread {
            for _ in 0..<3 {
                let client = try server.connect()
                try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(eventually { server.seen.heldCount == 1 })
                client.reset()
                #expect(eventually { server.server.metrics.connectionsOpen == 0 })
                let other = try server.connect()
                try other.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try other.receiveHead() == Wire.now)
                server.seen.release()
                try other.send("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(TestClient.withoutDates(try other.receiveToEnd()) == Wire.nowClose)
            }
        }
        #expect(server.server.metrics.responses == [204: 6])
    }
}
