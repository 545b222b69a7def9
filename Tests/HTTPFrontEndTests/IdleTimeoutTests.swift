import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct IdleTimeoutTests {
    /// A connection that rests between requests for too long is closed without a word, and metered.
    @Test func idleConnectionIsClosedSilently() async throws {
        var limits = HTTPLimits()
        limits.idleTimeoutMilliseconds = 200
        let server = try TestServer(limits: limits)
        #expect(try await onThread { try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\n") } == Wire.now)
        #expect(server.rejections(.idleTimeout) == 1)
        #expect(eventually { server.server.metrics.connectionsOpen == 0 })
    }

    /// Requests renew the time: a busy connection outlives the limit several times.
    @Test func requestsRenewTheTime() async throws {
        var limits = HTTPLimits()
        limits.idleTimeoutMilliseconds = 1_000
        let server = try TestServer(limits: limits)
        try await onThread {
            let client = try server.connect()
            let start = monotonicSeconds()
            while monotonicSeconds() - start < 2.5 {
                try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveHead() == Wire.now)
            }
        }
        #expect(server.rejections(.idleTimeout) == 0)
    }

    /// An exchange that waits for the handler has no time-out: the hub answers when its disk has answered.
    @Test func waitingExchangeIsNotIdle() async throws {
        var limits = HTTPLimits()
        limits.idleTimeoutMilliseconds = 100
        limits.headerTimeoutMilliseconds = 100
        limits.bodyTimeoutMilliseconds = 100
        let server = try TestServer(limits: limits)
        try await onThread {
            let waiting = try server.connect()
            try waiting.send("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            // The clock of this test is another connection's time-out, three times over.
            for _ in 0..<3 { #expect(try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\n") == Wire.now) }
            server.seen.release()
            #expect(try waiting.receiveHead() == Wire.helloHead)
        }
    }
}
