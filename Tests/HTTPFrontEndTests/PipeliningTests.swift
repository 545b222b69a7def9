import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct PipeliningTests {
    /// Requests in one packet are answered in their order, whoever answers faster.
    @Test func answersInOrder() async throws {
        let server = try TestServer { _, _, writer in
            await writer.respond(HTTPResponse(status: 200, body: Array("endpoint".utf8)))
        }
        let requests = ["/later", "/now", "/endpoint", "/hello"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        let text = try await onThread {
            try server.exchange(requests.joined() + "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        let endpoint = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nDate: DATE\r\n\r\nendpoint"
        #expect(text == Wire.hello + Wire.now + endpoint + Wire.hello + Wire.nowClose)
        #expect(server.seen.targets == ["/later", "/now", "/endpoint", "/hello", "/now"])
    }

    /// While an exchange waits, what comes behind it is not handed out and not lost.
    @Test func waitsForTheExchangeBefore() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.seen.heldCount == 1 })
            try client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.isSilent)
            #expect(server.seen.targets == ["/held"])
            server.seen.release()
            #expect(try client.receiveHead() == Wire.helloHead)
            #expect(try client.receive(5) == Array("hello".utf8))
            #expect(try client.receiveHead() == Wire.now)
            #expect(try client.receiveHead() == Wire.helloHead)
        }
    }

    /// Thousands of requests at once, more than any buffer, from a client that reads only afterwards.
    @Test func manyAtOnce() async throws {
        let server = try TestServer()
        let count = 5_000
        try await onThread {
            let client = try server.connect()
            let requests = Array(String(repeating: "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", count: count).utf8)
            let sender = try Sender(client, requests)
            for _ in 0..<count { #expect(try client.receiveHead() == Wire.now) }
            sender.join()
        }
        #expect(server.server.metrics.responses[204] == UInt64(count))
    }
}
