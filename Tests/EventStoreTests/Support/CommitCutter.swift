import Foundation
import Glibc
import Synchronization
import TestSupport

/// A unix socket in front of PostgreSQL that loses answers: when a client sends a COMMIT it passes it on or not, and closes.
final class CommitCutter: Sendable {
    enum Cut: Sendable {
        /// The server never sees the COMMIT.
        case before
        /// The server commits; the client does not hear of it.
        case after
    }

    private let folder = TemporaryFolder()
    private let serverPath: String
    private let listener: Int32
    private let cuts: Mutex<[Cut]>
    private let stopped = Atomic(false)

    /// Each of `cuts` is used once, for one COMMIT after the other; then everything passes.
    init(socketFolder: String, cuts: [Cut]) {
        self.serverPath = socketFolder + "/.s.PGSQL.5432"
        self.cuts = Mutex(cuts)
        self.listener = Self.socket(self.folder.file(".s.PGSQL.5432")) { bind($0, $1, $2) }
        guard listen(self.listener, 16) == 0 else { fatalError("listen: errno \(errno)") }
        Thread { [self] in self.acceptAll() }.start()
    }

    func url(database: String) -> String { "postgresql://postgres@/\(database)?host=\(self.folder.path)&port=5432" }

    var cutsLeft: Int { self.cuts.withLock { $0.count } }

    func stop() {
        self.stopped.store(true, ordering: .releasing)
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while !self.stopped.load(ordering: .acquiring) {
            let client = accept(self.listener, nil, nil)
            guard client >= 0 else { break }
            let server = Self.socket(self.serverPath) { connect($0, $1, $2) }
            Thread { [self] in self.relay(client, server) }.start()
        }
        close(self.listener)
    }

    private func relay(_ client: Int32, _ server: Int32) {
        defer {
            close(client)
            close(server)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isCut = false
        while true {
            var polled = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) > 0 else { return }
            if polled[1].revents != 0 {
                let count = read(server, &buffer, buffer.count)
                guard count > 0, !isCut, self.writeAll(client, buffer[..<count]) else { return }
            }
            if polled[0].revents != 0 {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { return }
                let isCommit = Data(buffer[..<count]).range(of: Data("COMMIT".utf8)) != nil
                let cut = isCommit ? self.cuts.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
                if cut == .before { return }
                isCut = cut == .after
                guard self.writeAll(server, buffer[..<count]) else { return }
            }
        }
    }

    private func writeAll(_ socket: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func socket(_ path: String, _ attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32
    {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                attach(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { fatalError("socket \(path): errno \(errno)") }
        return descriptor
    }
}
