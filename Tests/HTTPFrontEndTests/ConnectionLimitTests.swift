import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct ConnectionLimitTests {
    /// One connection too many is told 503 and closed; when another ends, there is room again.
    @Test func oneTooManyIsRefused() async throws {
        var limits = HTTPLimits()
        limits.connectionsMax = 2
        let server = try TestServer(limits: limits)
        try await onThread {
            var clients = try (0..<2).map { _ in try server.connect() }
            for client in clients {
                try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveHead() == Wire.now)
            }
            #expect(try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\n") == Wire.refusal(.connections))
            #expect(server.server.metrics.connectionsRefused == 1)
            #expect(server.rejections(.connections) == 1)
            clients.removeLast()
            #expect(
                eventually {
                    (try? server.exchange("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")) == Wire.nowClose
                })
            try clients[0].send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try clients[0].receiveHead() == Wire.now)
        }
        #expect(server.seen.targets.count == 4)
    }

    /// The count of open connections follows their ends, and each is counted once.
    @Test func countsConnections() async throws {
        let server = try TestServer(loops: 2)
        try await onThread {
            let clients = try (0..<20).map { _ in try server.connect() }
            for client in clients {
                try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveHead() == Wire.now)
            }
            #expect(server.server.metrics.connectionsOpen == 20)
            for client in clients { client.close() }
            #expect(eventually { server.server.metrics.connectionsOpen == 0 })
        }
        #expect(server.server.metrics.connectionsAccepted == 20)
        #expect(server.server.metrics.connectionsRefused == 0)
        #expect(server.server.metrics.bytesReceived == 20 * 30)
        #expect(server.server.metrics.bytesSent > 0)
    }
}
