import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct DrainTests {
    /// Draining closes idle connections at once and refuses new ones; what is in flight is answered, told to close.
    @Test func answersWhatIsInFlight() async throws {
        let server = try TestServer()
        try await onThread {
            let idle = try server.connect()
            try idle.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try idle.receiveHead() == Wire.now)
            let waiting = try server.connect()
            try waiting.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.seen.heldCount == 1 })
            server.server.stopAccepting()
            #expect(try idle.receiveToEnd() == "")
            #expect(throws: TestClient.Failure.self) { try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(waiting.isSilent)
            server.seen.release()
            #expect(TestClient.withoutDates(try waiting.receiveToEnd()) == Wire.helloClose)
            let start = monotonicSeconds()
            server.server.stop(withinSeconds: 20)
            #expect(monotonicSeconds() - start < 15)
        }
    }

    /// Connections that wait to be accepted when draining begins are served, not reset.
    @Test func servesTheAcceptQueue() async throws {
        let server = try TestServer()
        try await onThread {
            let clients = try (0..<200).map { _ in try server.connect() }
            for client in clients { try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n") }
            server.server.stopAccepting()
            for client in clients {
                let text = TestClient.withoutDates(try client.receiveToEnd())
                #expect(text == Wire.nowClose || text == Wire.now)
            }
        }
        #expect(server.server.metrics.responses == [204: 200])
    }

    /// Stopping waits for the exchange in flight, no longer than it may.
    @Test func stopWaitsNoLongerThanItMay() async throws {
        let server = try TestServer()
        try await onThread {
            let waiting = try server.connect()
            try waiting.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.seen.heldCount == 1 })
            let start = monotonicSeconds()
            server.server.stop(withinSeconds: 0.3)
            let taken = monotonicSeconds() - start
            #expect(taken >= 0.25 && taken < 10)
            #expect((try? waiting.receiveToEnd()) ?? "" == "")
            #expect(server.server.metrics.connectionsOpen == 0)
        }
    }

    /// A streamed response in flight is finished.
    @Test func finishesStreams() async throws {
        let gate = Gate()
        let server = try TestServer { _, _, writer in
            await writer.start(status: 200, headers: [])
            await gate.wait()
            try? await writer.write(Array("rest".utf8))
            await writer.finish()
        }
        try await onThread {
            let client = try server.connect()
            try client.send("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receiveHead()
            server.server.stopAccepting()
            gate.open()
            #expect(try client.receiveToEnd() == "4\r\nrest\r\n0\r\n\r\n")
        }
    }
}
