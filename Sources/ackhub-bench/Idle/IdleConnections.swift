import CommandLineOptions
import Glibc

/// Connections that were each answered one request and are then kept open, idle.
final class IdleConnections {
    private let url: LoadURL
    private var sockets: [LoadSocket] = []
    private var input = [UInt8](repeating: 0, count: 4_096)

    /// How long one connection may take to be answered.
    private static let patienceNanoseconds: UInt64 = 10_000_000_000

    init(_ url: LoadURL) { self.url = url }

    /// Opens one for each request of the list, one after another: each is answered before the next begins.
    ///
    /// - Throws: when an answer is no 2xx or ends the connection.
    func open(_ list: RequestList) throws(CommandError) {
        try DescriptorLimit.raise(toHold: list.count)
        for request in 0..<list.count {
            let socket = try LoadSocket(self.url)
            try self.ask(socket, list.bytes[list.starts[request]..<list.starts[request + 1]])
            self.sockets.append(socket)
        }
    }

    private func ask(_ socket: LoadSocket, _ request: ArraySlice<UInt8>) throws(CommandError) {
        let deadline = MonotonicClock.now() + Self.patienceNanoseconds
        var unsent = request
        var scanner = AnswerScanner()
        while true {
            try socket.wait(toWrite: !unsent.isEmpty, until: deadline)
            if !unsent.isEmpty { unsent = unsent.dropFirst(try socket.write(unsent)) }
            guard let count = try socket.read(into: &self.input) else { continue }
            var offset = 0
            let progress =
                count == 0
                ? .malformed
                : self.input.withUnsafeBytes { scanner.next(UnsafeRawBufferPointer(rebasing: $0[..<count]), &offset) }
            switch progress {
            case .partial: continue
            case .answer(status: 200..<300, keepsAlive: true): return
            case .answer(let status, let keepsAlive):
                throw CommandError("answered \(status), the connection \(keepsAlive ? "stays open" : "ends")")
            case .malformed: throw CommandError("the server closed a connection or answered no HTTP")
            }
        }
    }

    /// How many the server has not closed, nor sent anything on.
    func countIdle() -> Int {
        self.sockets.count { socket in (try? socket.read(into: &self.input)) == .some(nil) }
    }
}
