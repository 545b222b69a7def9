import Glibc
import Synchronization

@testable import HTTPFrontEnd

/// A server on a free port with the routes of `TestHandler`; stopped with the last reference.
final class TestServer: Sendable {
    let server: HTTPServer
    let seen: SeenRequests

    init(
        loops: Int = 1, limits: HTTPLimits = HTTPLimits(), certificate: (file: String, key: String)? = nil,
        endpoint: HTTPEndpoint? = nil
    ) throws {
        let seen = SeenRequests()
        var configuration = HTTPServerConfiguration(listen: [SocketAddress(text: "127.0.0.1:0")!])
        configuration.limits = limits
        configuration.loopCount = loops
        configuration.tlsCertificateFile = certificate?.file
        configuration.tlsKeyFile = certificate?.key
        self.seen = seen
        self.server = try HTTPServer(configuration, log: { _ in }) { loop in
            TestHandler(loop, seen: seen, endpoint: endpoint)
        }
        self.server.start()
    }

    deinit { self.server.stop(withinSeconds: 0) }

    var address: SocketAddress { self.server.addresses[0] }

    func connect() throws -> TestClient { try TestClient(self.address) }

    func rejections(_ reason: HTTPRejection) -> UInt64 { self.server.metrics.rejections[reason.name] ?? 0 }

    /// One connection, these bytes, everything that comes back until the end.
    func exchange(_ bytes: String) throws -> String {
        let client = try self.connect()
        try client.send(bytes)
        return TestClient.withoutDates(try client.receiveToEnd())
    }
}

/// What a handler saw and holds, for tests on other threads.
final class SeenRequests: Sendable {
    private struct State {
        var targets: [String] = []
        var held: [(exchange: HTTPExchangeID, loop: HTTPLoop)] = []
        var released: [HTTPExchangeID] = []
        var turns = 0
    }

    private let state = Mutex(State())

    var targets: [String] { self.state.withLock { $0.targets } }
    var heldCount: Int { self.state.withLock { $0.held.count } }

    func note(_ target: String) { self.state.withLock { $0.targets.append(target) } }
    func hold(_ exchange: HTTPExchangeID, _ loop: HTTPLoop) {
        self.state.withLock { $0.held.append((exchange, loop)) }
    }

    /// Lets the loops answer what they hold.
    func release() {
        let held = self.state.withLock { state in
            defer { state.held = [] }
            state.released += state.held.map(\.exchange)
            return state.held
        }
        for (_, loop) in held { loop.wake() }
    }

    func takeReleased() -> [HTTPExchangeID] {
        self.state.withLock { state in
            defer { state.released = [] }
            return state.released
        }
    }
}

/// `/now` 204 · `/hello` a body · `/later` answered after the turn · `/held` answered when the test releases it ·
/// `/endpoint` the test's endpoint · anything else 404.
final class TestHandler: HTTPLoopHandler {
    static let hello = HTTPResponse(
        status: 200, headers: [(name: "Content-Type", value: "text/plain")], body: Array("hello".utf8))
    private static let noContent = HTTPResponse(status: 204)

    private unowned let loop: HTTPLoop
    private let seen: SeenRequests
    private let endpoint: HTTPEndpoint?
    private var later: [HTTPExchangeID] = []

    init(_ loop: HTTPLoop, seen: SeenRequests, endpoint: HTTPEndpoint?) {
        self.loop = loop
        self.seen = seen
        self.endpoint = endpoint
    }

    func receive(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID)
        -> HTTPReply
    {
        let range = head.target
        let target = bytes.withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) }
        self.seen.note(target)
        switch target {
        case "/now": return .now(Self.noContent)
        case "/hello": return .now(Self.hello)
        case "/later":
            self.later.append(exchange)
            return .later
        case "/held":
            self.seen.hold(exchange, self.loop)
            return .later
        case "/at-once":
            self.loop.complete(exchange, Self.hello)
            return .later
        default:
            if target.hasPrefix("/endpoint"), let endpoint { return .endpoint(endpoint) }
            return .now(HTTPResponse(status: 404))
        }
    }

    func turnEnded(_ loop: HTTPLoop) { if !self.later.isEmpty { loop.wake() } }

    func woken(_ loop: HTTPLoop) {
        for exchange in self.later + self.seen.takeReleased() { loop.complete(exchange, Self.hello) }
        self.later.removeAll()
    }
}

/// The answers as they come over the wire, their dates as `DATE`.
enum Wire {
    static let now = "HTTP/1.1 204 No Content\r\nDate: DATE\r\n\r\n"
    static let nowClose = "HTTP/1.1 204 No Content\r\nDate: DATE\r\nConnection: close\r\n\r\n"
    static let helloHead = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nDate: DATE\r\n\r\n"
    static let hello = Self.helloHead + "hello"
    static let helloClose =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nDate: DATE\r\nConnection: close\r\n\r\nhello"

    /// The front end's own refusal.
    static func refusal(_ reason: HTTPRejection) -> String {
        let retry = reason.status == 503 ? "Retry-After: 5\r\n" : ""
        return
            "HTTP/1.1 \(reason.status) \(HTTPStatus.reason(reason.status))\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "\(retry)Content-Length: \(reason.name.utf8.count + 1)\r\nDate: DATE\r\nConnection: close\r\n\r\n\(reason.name)\n"
    }
}
