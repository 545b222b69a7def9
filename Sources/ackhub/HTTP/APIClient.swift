import CommandLineOptions
import Glibc
import StrictJSON

/// Asks a hub's API, one request at a time, and again while the hub is away. Blocks its thread.
final class APIClient {
    private let address: HubAddress
    private let resolved: ResolvedAddress
    private let token: String
    /// What it calls itself.
    private let program: String
    private let patienceSeconds: Int
    private var connection: OpenConnection?
    /// Requests that had to be sent again.
    private(set) var retries = 0

    private final class OpenConnection {
        let socket: ClientSocket
        var parser = HTTPAnswerParser()
        init(_ resolved: ResolvedAddress) throws(ClientSocketError) {
            self.socket = try ClientSocket(connectingTo: resolved)
        }
    }

    private static let answerTimeoutSeconds = 30
    private static let pauseMilliseconds = 100

    init(_ address: HubAddress, resolved: ResolvedAddress, token: String, patienceSeconds: Int, program: String) {
        self.address = address
        self.resolved = resolved
        self.token = token
        self.program = program
        self.patienceSeconds = patienceSeconds
    }

    /// The answer with status 200, as JSON.
    func getJSON(_ path: String) throws -> JSONValue {
        let answer = try self.send("GET", path)
        guard answer.status == 200 else { throw CommandError("GET \(path): \(answer.summary)") }
        return try JSONValue(parsing: answer.body.span.bytes)
    }

    /// Sends until an answer other than 502, 503 or 504 is read whole: the request must bear repetition.
    ///
    /// - Throws: when none came within the patience.
    func send(
        _ method: String, _ path: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws -> HTTPAnswer {
        var lines = [
            "\(method) \(self.address.prefix)\(path) HTTP/1.1", "Host: \(self.address.authority)",
            "Authorization: Bearer \(self.token)", "User-Agent: \(self.program)/\(Command.versionText)",
        ]
        lines += fields
        if let body { lines.append("Content-Length: \(body.count)") }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
        let deadline = WallClock.monotonic() + UInt64(self.patienceSeconds) * 1_000_000_000
        while true {
            let failure: String
            do throws(CommandError) {
                let answer = try self.exchange(request)
                guard [502, 503, 504].contains(answer.status) else { return answer }
                failure = answer.summary
            } catch {
                failure = error.description
            }
            self.connection = nil
            guard WallClock.monotonic() < deadline else {
                throw CommandError("\(method) \(path): no answer for \(self.patienceSeconds) s: \(failure)")
            }
            self.retries += 1
            usleep(UInt32(Self.pauseMilliseconds) * 1_000)
        }
    }

    private func exchange(_ request: [UInt8]) throws(CommandError) -> HTTPAnswer {
        let deadline = WallClock.monotonic() + UInt64(Self.answerTimeoutSeconds) * 1_000_000_000
        do throws(ClientSocketError) {
            let connection = try self.openConnection()
            var rest = request[...]
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // Both ways at once: the answer to a long NDJSON body begins before the body has ended.
            while true {
                let events = try Self.wait(connection.socket, writing: !rest.isEmpty, until: deadline)
                if !rest.isEmpty && events & Int16(POLLOUT) != 0 {
                    switch connection.socket.send(rest) {
                    case .bytes(let count): rest = rest.dropFirst(count)
                    case .failed(let code): throw ClientSocketError(code: code)
                    case .wouldBlock, .end: break
                    }
                }
                guard events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
                let outcome = connection.socket.receive(into: &buffer)
                switch outcome {
                case .bytes(let count): connection.parser.append(buffer[..<count])
                case .failed(let code): throw ClientSocketError(code: code)
                case .wouldBlock: continue
                case .end: break
                }
                if let answer = try self.parse(connection, isEnd: outcome == .end) { return answer }
                if outcome == .end { throw ClientSocketError(code: ECONNRESET) }
            }
        } catch {
            throw CommandError("\(self.address.authority): \(error)")
        }
    }

    private func openConnection() throws(ClientSocketError) -> OpenConnection {
        if let connection = self.connection { return connection }
        let connection = try OpenConnection(self.resolved)
        self.connection = connection
        return connection
    }

    private func parse(_ connection: OpenConnection, isEnd: Bool) throws(ClientSocketError) -> HTTPAnswer? {
        do {
            guard let answer = try connection.parser.next(isHead: false, isEnd: isEnd) else { return nil }
            if !answer.keepsAlive { self.connection = nil }
            return answer
        } catch {
            throw ClientSocketError(code: EPROTO)
        }
    }

    /// What is ready; ETIMEDOUT after the deadline.
    private static func wait(
        _ socket: borrowing ClientSocket, writing: Bool, until deadline: UInt64
    ) throws(ClientSocketError) -> Int16 {
        while true {
            let now = WallClock.monotonic()
            guard now < deadline else { throw ClientSocketError(code: ETIMEDOUT) }
            var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
            let ready = poll(&entry, 1, Int32(min(1_000, (deadline - now) / 1_000_000 + 1)))
            if ready > 0 { return entry.revents }
        }
    }
}
