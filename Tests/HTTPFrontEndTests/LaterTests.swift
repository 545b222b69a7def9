import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct LaterTests {
    /// Many connections wait for one release, as for a group commit, and are all answered by it.
    @Test func oneReleaseAnswersAll() async throws {
        let server = try TestServer()
        try await onThread {
            let clients = try (0..<50).map { _ in try server.connect() }
            for client in clients { try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(eventually { server.seen.heldCount == 50 })
            for client in clients { #expect(client.isSilent) }
            server.seen.release()
            for client in clients { #expect(try client.receiveHead() == Wire.helloHead) }
        }
    }

    /// A completion inside `receive` itself is answered.
    @Test func completionWithinReceive() async throws {
        let server = try TestServer()
        let plain = "GET /at-once HTTP/1.1\r\nHost: a\r\n\r\n"
        let withBody = "POST /at-once HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nxy"
        #expect(try await onThread { try server.exchange(plain + withBody) } == Wire.hello + Wire.helloClose)
    }

    /// The answer waits for the body's end, though it is ready before.
    @Test func answerWaitsForTheBody() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            try client.send("POST /at-once HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx")
            #expect(eventually { server.seen.targets == ["/at-once"] })
            #expect(client.isSilent)
            try client.send("y")
            #expect(try client.receiveHead() == Wire.helloHead)
        }
    }

    /// A request behind an endpoint's answer that came while its turn ended has a turn's end of its own: its group is not
    /// left lying until something else happens.
    @Test func requestBehindALateAnswerIsGrouped() async throws {
        let hasAnswered = Flag()
        let server = try HTTPServer(
            HTTPServerConfiguration(listen: [SocketAddress(text: "127.0.0.1:0")!]), log: { _ in },
            makeHandler: { LateHandler($0, hasAnswered) })
        server.start()
        defer { server.stop(withinSeconds: 0) }
        try await onThread {
            let client = try TestClient(server.addresses[0])
            // A new connection's registration is an event of its own: let it pass.
            try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveHead() == Wire.now)
            try client.send(
                "GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(TestClient.withoutDates(try client.receiveToEnd()) == Wire.hello + Wire.helloClose)
        }
    }
}

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { self.value.load(ordering: .acquiring) }
    func set() { self.value.store(true, ordering: .releasing) }
}

/// The turn in which an endpoint begins ends after the endpoint has answered.
private final class LateHandler: HTTPLoopHandler {
    private let routes: TestHandler
    private let hasAnswered: Flag
    private var hasBegun = false

    init(_ loop: HTTPLoop, _ hasAnswered: Flag) {
        self.hasAnswered = hasAnswered
        self.routes = TestHandler(loop, seen: SeenRequests()) { _, _, writer in
            await writer.respond(TestHandler.hello)
            hasAnswered.set()
        }
    }

    func receive(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID)
        -> HTTPReply
    {
        let reply = self.routes.receive(head, bytes, peer: peer, exchange: exchange)
        if case .endpoint = reply { self.hasBegun = true }
        return reply
    }

    func turnEnded(_ loop: HTTPLoop) {
        if self.hasBegun { _ = eventually { self.hasAnswered.isSet } }
        self.routes.turnEnded(loop)
    }

    func woken(_ loop: HTTPLoop) { self.routes.woken(loop) }
}
