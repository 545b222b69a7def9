import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct KeepAliveTests {
    /// 1.1 stays by default, without a word about it; several requests in turn.
    @Test func staysOpenByDefault() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            for _ in 0..<3 {
                try client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveHead() == Wire.helloHead)
                #expect(try client.receive(5) == Array("hello".utf8))
            }
        }
        #expect(server.server.metrics.requests == 3)
    }

    /// `Connection: close` is answered with it, and the connection ends.
    @Test func closesWhenAsked() async throws {
        let server = try TestServer()
        let text = try await onThread {
            try server.exchange("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        #expect(text == Wire.helloClose)
    }

    /// A 1.0 client that asks to stay is told that it may, as ab -k needs it.
    @Test func http10StaysWhenAsked() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            for _ in 0..<2 {
                try client.send("GET /now HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                #expect(
                    try client.receiveHead()
                        == "HTTP/1.1 204 No Content\r\nDate: DATE\r\nConnection: keep-alive\r\n\r\n")
            }
        }
    }

    /// A 1.0 client that does not ask is closed.
    @Test func http10ClosesByDefault() async throws {
        let server = try TestServer()
        #expect(try await onThread { try server.exchange("GET /now HTTP/1.0\r\n\r\n") } == Wire.nowClose)
    }

    /// The last request of the limit is told to close.
    @Test func closesAfterTheLimitOfRequests() async throws {
        var limits = HTTPLimits()
        limits.requestsPerConnectionMax = 2
        let server = try TestServer(limits: limits)
        let request = "GET /now HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(try await onThread { try server.exchange(request + request + request) } == Wire.now + Wire.nowClose)
    }

    /// HEAD has GET's head, its length too, and no body; the next response is not disturbed.
    @Test func headHasNoBody() async throws {
        let server = try TestServer()
        let requests =
            "HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        #expect(try await onThread { try server.exchange(requests) } == Wire.helloHead + Wire.helloClose)
    }

    /// A head that comes byte by byte is one request.
    @Test func readsDrippingHead() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            for byte in Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8) { try client.send([byte]) }
            #expect(try client.receiveHead() == Wire.helloHead)
        }
    }
}
