import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct ServerFuzzTests {
    private static let requests = [
        "GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET /now HTTP/1.0\r\n\r\n",
        "POST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\nhello, world",
        "HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\nPOST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
    ]

    /// Damaged requests in random pieces, clients that stay, leave, half-close or reset: the server serves on, and nothing
    /// of them is left.
    @Test(arguments: 1...3)
    func survivesDamagedRequests(seed: UInt64) async throws {
        var limits = HTTPLimits()
        limits.headerTimeoutMilliseconds = 500
        limits.bodyTimeoutMilliseconds = 500
        limits.idleTimeoutMilliseconds = 500
        let server = try TestServer(loops: 2, limits: limits) { _, body, writer in
            await writer.start(status: 200, headers: [])
            while let piece = try? await body.next() { try? await writer.write(piece) }
            await writer.finish()
        }
        try await onThread {
            var generator = SeededRandom(seed: seed)
            var staying: [TestClient] = []
            for round in 0..<150 {
                let bytes = generator.mutate(Array(Self.requests[round % Self.requests.count].utf8))
                let client = try server.connect()
                var sent = 0
                while sent < bytes.count {
                    let count = min(bytes.count - sent, Int.random(in: 1...60, using: &generator))
                    guard (try? client.send(Array(bytes[sent..<sent + count]))) != nil else { break }
                    sent += count
                }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: client.reset()
                case 1: client.close()
                case 2: client.shutdownSending()
                default: break
                }
                staying.append(client)
            }
            #expect(try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") == Wire.nowClose)
            for client in staying { client.close() }
        }
        #expect(eventually { server.server.metrics.connectionsOpen == 0 })
    }
}
