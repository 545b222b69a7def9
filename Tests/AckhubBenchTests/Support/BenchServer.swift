import Glibc
import HTTPFrontEnd
import Synchronization

@testable import ackhub_bench

/// A small real server: 204 to everything, 503 below `/busy`, an answer with `Connection: close` below `/close`, none
/// below `/held`.
final class BenchServer: Sendable {
    private let server: HTTPServer
    private let seen: Seen

    /// What it saw, and when it stands still.
    final class Seen: Sendable {
        let targets = Mutex<[String]>([])
        let stallAt: Int
        let stallMicroseconds: UInt32

        init(stallAt: Int, microseconds: UInt32) {
            self.stallAt = stallAt
            self.stallMicroseconds = microseconds
        }

        /// Notes a request; blocks the server's only loop when it is the one to stall at.
        func note(_ target: String) {
            let count = self.targets.withLock { targets in
                targets.append(target)
                return targets.count
            }
            if count == self.stallAt { usleep(self.stallMicroseconds) }
        }
    }

    init(certificate: (file: String, key: String)? = nil, stallAt: Int = 0, stallMicroseconds: UInt32 = 0) throws {
        let seen = Seen(stallAt: stallAt, microseconds: stallMicroseconds)
        var configuration = HTTPServerConfiguration(listen: [SocketAddress(text: "127.0.0.1:0")!])
        configuration.tlsCertificateFile = certificate?.file
        configuration.tlsKeyFile = certificate?.key
        self.seen = seen
        self.server = try HTTPServer(configuration, log: { _ in }) { _ in Handler(seen) }
        self.server.start()
    }

    deinit { self.server.stop(withinSeconds: 0) }

    var port: UInt16 { self.server.addresses[0].port }
    var targets: [String] { self.seen.targets.withLock { $0 } }
    var acceptedConnections: UInt64 { self.server.metrics.connectionsAccepted }

    func url(_ scheme: String = "http", host: String = "127.0.0.1") -> LoadURL {
        LoadURL(text: "\(scheme)://\(host):\(self.port)")!
    }

    private final class Handler: HTTPLoopHandler {
        private static let noContent = HTTPResponse(status: 204)
        private static let closing = HTTPResponse(status: 204, closes: true)
        private static let busy = HTTPResponse(status: 503, body: Array("busy".utf8))
        private let seen: Seen

        init(_ seen: Seen) { self.seen = seen }

        func receive(
            _ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID
        ) -> HTTPReply {
            let range = head.target
            let target = bytes.withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) }
            self.seen.note(target)
            if target.hasPrefix("/busy") { return .now(Self.busy) }
            if target.hasPrefix("/close") { return .now(Self.closing) }
            return target.hasPrefix("/held") ? .later : .now(Self.noContent)
        }

        func turnEnded(_ loop: HTTPLoop) {}
        func woken(_ loop: HTTPLoop) {}
    }
}
