import Glibc
import Synchronization

/// Writes one JSON object a line on stderr: time, level, message, fields. Never a token, key or full URL.
///
/// Thread-safe: a line is one write(2). `writeLimited` keeps a repeated fault from flooding the log.
package struct Log: Sendable {
    package enum Level: String, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    package let minimum: Level
    private let now: @Sendable () -> UInt64
    private let sink: @Sendable ([UInt8]) -> Void
    private let limiter = LogLimiter()

    /// `sink` gets one whole line with its line end; `now` gives UNIX nanoseconds.
    package init(
        minimum: Level = .info, now: @escaping @Sendable () -> UInt64 = Self.systemTime,
        sink: @escaping @Sendable ([UInt8]) -> Void = Self.writeToStandardError
    ) {
        self.minimum = minimum
        self.now = now
        self.sink = sink
    }

    package func write(_ level: Level, _ message: String, _ fields: [(String, String)] = []) {
        guard level >= self.minimum else { return }
        self.sink(LogLine.bytes(time: self.now(), level: level, message: message, fields: fields))
    }

    /// As `write`, but one line per `key` and ten seconds; the next one tells how many were left out.
    package func writeLimited(key: String, _ level: Level, _ message: String, _ fields: [(String, String)] = []) {
        guard level >= self.minimum, let suppressed = self.limiter.admit(key, at: self.now()) else { return }
        self.write(level, message, suppressed == 0 ? fields : fields + [("suppressed", String(suppressed))])
    }

    package static func systemTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// A line that stderr does not take whole at once is cut: the log never blocks the hub on a full pipe twice.
    package static func writeToStandardError(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            while Glibc.write(STDERR_FILENO, bytes.baseAddress!, bytes.count) < 0 && errno == EINTR {}
        }
    }
}
