import Glibc
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct WriteTimeoutTests {
    /// A peer that takes nothing of a response for too long is closed, and metered.
    @Test func peerThatDoesNotReadIsClosed() async throws {
        var limits = HTTPLimits()
        limits.writeTimeoutMilliseconds = 300
        let server = try TestServer(limits: limits) { _, _, writer in
            await writer.start(status: 200, headers: [])
            while (try? await writer.write([UInt8](repeating: 0x61, count: 100_000))) != nil {}
        }
        try await onThread {
            let client = try TestClient(server.address, receiveBufferBytes: 8 << 10)
            try client.send("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually(withinSeconds: 10) { server.rejections(.writeTimeout) == 1 })
            #expect(eventually { server.server.metrics.connectionsOpen == 0 })
        }
    }

    /// A peer that takes little, but all the time, is alive: the kernel may not hold so much for it that the server sees no
    /// progress within the time-out. Pacing is the point here: 4 KiB every 10 ms, three times as long as the time-out.
    @Test func peerThatReadsSlowlyIsServed() async throws {
        var limits = HTTPLimits()
        limits.writeTimeoutMilliseconds = 1_000
        let server = try TestServer(limits: limits) { _, _, writer in
            await writer.start(status: 200, headers: [])
            while (try? await writer.write([UInt8](repeating: 0x61, count: 100_000))) != nil {}
        }
        try await onThread {
            let client = try TestClient(server.address, receiveBufferBytes: 8 << 10)
            try client.send("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n")
            for _ in 0..<300 {
                _ = try client.receive(4_096)
                usleep(10_000)
            }
            #expect(server.rejections(.writeTimeout) == 0)
            #expect(server.server.metrics.connectionsOpen == 1)
        }
    }
}
