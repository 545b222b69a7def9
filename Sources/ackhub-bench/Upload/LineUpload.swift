import CLinux
import CommandLineOptions
import Glibc

/// One NDJSON request, sent and read at once as its answer streams back.
struct LineUpload: Sendable {
    var url: LoadURL
    var path: String
    var body: [UInt8]
    var token: String?
    var processes: [ProcessTree]
    var timeoutNanoseconds: UInt64

    static let bodyBytesMax = 1 << 30
    private static let headBytesMax = 65_536
    private static let bufferBytes = 262_144

    struct Outcome: Sendable {
        let lines: AnswerLines
        let seconds: Double
        /// Of each process, the load generator's own last.
        let cpuMicroseconds: [UInt64]
    }

    /// Lines of the request; the last may lack its line feed.
    var lineCount: Int {
        let hasRest = self.body.last.map { $0 != UInt8(ascii: "\n") } ?? false
        return self.body.count { $0 == UInt8(ascii: "\n") } + (hasRest ? 1 : 0)
    }

    /// Blocks until the server has answered and closed.
    ///
    /// - Throws: when it can't be reached, answers another status than 200, or does not answer line by line: as many lines
    ///   as were sent.
    func run() throws(CommandError) -> Outcome {
        let before = try CPUReading(self.processes)
        let start = MonotonicClock.now()
        let answer = try self.exchange(until: start + self.timeoutNanoseconds)
        let seconds = Double(MonotonicClock.now() - start) / 1e9
        let cpu = try CPUReading(self.processes).since(before)
        guard answer.isWhole, answer.all == self.lineCount else {
            throw CommandError("\(self.lineCount) lines were sent, \(answer.all) were answered")
        }
        return Outcome(lines: answer, seconds: seconds, cpuMicroseconds: cpu)
    }

    /// HTTP/1.0, because its answer is the bytes themselves, up to the connection's end (RFC 9112 section 6.3).
    private var head: [UInt8] {
        let authorization = self.token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return Array(
            ("POST \(self.path) HTTP/1.0\r\nHost: \(self.url.authority)\r\nUser-Agent: ackhub-bench\r\n\(authorization)"
                + "Content-Type: application/x-ndjson\r\nContent-Length: \(self.body.count)\r\n\r\n").utf8)
    }

    private func exchange(until deadline: UInt64) throws(CommandError) -> AnswerLines {
        let socket = try LoadSocket(self.url)
        let request = self.head + self.body
        var sent = 0
        var head: [UInt8]? = []
        var lines = AnswerLines()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        while true {
            try socket.wait(toWrite: sent < request.count, until: deadline)
            if sent < request.count { sent += try socket.write(request[sent...]) }
            guard let count = try socket.read(into: &buffer) else { continue }
            if count == 0 {
                guard head == nil else { throw CommandError("the server closed without an answer") }
                return lines
            }
            guard var begun = head else {
                lines.take(buffer[..<count])
                continue
            }
            begun += buffer[..<count]
            head = begun
            guard let rest = try Self.body(behindHeadOf: begun) else { continue }
            head = nil
            lines.take(rest)
        }
    }

    /// What follows the head in the answer's first bytes; nil while the head is not whole.
    static func body(behindHeadOf bytes: [UInt8]) throws(CommandError) -> ArraySlice<UInt8>? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard bytes.count <= Self.headBytesMax else { throw CommandError("the answer's head does not end") }
            return nil
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") }
        guard line.starts(with: "HTTP/1.".utf8), line.dropFirst(8).starts(with: " 200".utf8) else {
            throw CommandError("answered \(String(decoding: line.prefix(200), as: UTF8.self))")
        }
        return bytes[end.upperBound...]
    }
}
