import Glibc
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct HeaderTimeoutTests {
    private static func limits() -> HTTPLimits {
        var limits = HTTPLimits()
        limits.headerTimeoutMilliseconds = 300
        return limits
    }

    /// A head that stays incomplete is answered 408, then the connection ends.
    @Test func incompleteHeadIsAnswered() async throws {
        let server = try TestServer(limits: Self.limits())
        #expect(
            try await onThread { try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n") }
                == Wire.refusal(.headerTimeout))
        #expect(server.rejections(.headerTimeout) == 1)
        #expect(server.seen.targets.isEmpty)
    }

    /// A client that drips a byte again and again gains no time by it.
    @Test func drippingGainsNothing() async throws {
        let server = try TestServer(limits: Self.limits())
        try await onThread {
            let client = try server.connect()
            let start = monotonicSeconds()
            try client.send("GET /now HTTP/1.1\r\n")
            // Ends at the server's answer; a server that renews its deadline would let this go on.
            while client.isSilent, monotonicSeconds() - start < 8 {
                try client.send("X")
                usleep(20_000)
            }
            #expect(monotonicSeconds() - start < 6)
            #expect(
                TestClient.withoutDates(try client.receive(through: "header_timeout\n")) == Wire.refusal(.headerTimeout)
            )
        }
    }

    /// The time counts per request: a slow one after quick ones has its own.
    @Test func secondRequestHasItsOwnTime() async throws {
        let server = try TestServer(limits: Self.limits())
        let text = try await onThread { try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /now") }
        #expect(text == Wire.now + Wire.refusal(.headerTimeout))
    }

    /// A connection that never says anything is closed without a word.
    @Test func silentConnectionIsClosedSilently() async throws {
        let server = try TestServer(limits: Self.limits())
        #expect(try await onThread { try server.exchange("") } == "")
        #expect(server.rejections(.idleTimeout) == 1)
    }
}
