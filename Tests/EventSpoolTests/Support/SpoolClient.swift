import EventSpool
import Glibc
import Synchronization
import Testing

/// A spool in small segments and one appender whose outcomes can be waited for.
final class SpoolClient {
    let spool: Spool
    let appender: SpoolAppender
    let log: Lines
    private let wakes: Wakes

    /// Counts wake-ups; a test waits for the next one, with a deadline.
    final class Wakes: Sendable {
        private let count = Mutex(0)
        func add() { self.count.withLock { $0 += 1 } }
        var value: Int { self.count.withLock { $0 } }
    }

    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { self.lines.withLock { $0.append(line) } }
        var all: [String] { self.lines.withLock { $0 } }
        func count(containing text: String) -> Int { self.all.count { $0.contains(text) } }
    }

    static func configuration(_ directory: String = "/spool", segmentBytes: Int = 4096) -> SpoolConfiguration {
        var configuration = SpoolConfiguration(directory: directory)
        configuration.segmentBytes = segmentBytes
        configuration.retryMilliseconds = 1
        return configuration
    }

    init(_ files: MemoryFileSystem, _ configuration: SpoolConfiguration = SpoolClient.configuration()) throws {
        let log = Lines()
        let wakes = Wakes()
        self.log = log
        self.wakes = wakes
        self.spool = try Spool(configuration, files: files) { log.add($0) }
        self.appender = self.spool.makeAppender { wakes.add() }
    }

    init(onDisk configuration: SpoolConfiguration) throws {
        let log = Lines()
        let wakes = Wakes()
        self.log = log
        self.wakes = wakes
        self.spool = try Spool(configuration) { log.add($0) }
        self.appender = self.spool.makeAppender { wakes.add() }
    }

    var wakeCount: Int { self.wakes.value }

    /// Appends the records as one group and waits for its outcome; one for each record.
    @discardableResult
    func append(_ records: [[UInt8]]) throws -> [SpoolRefusal?] {
        for record in records { self.appender.append(record.span.bytes) }
        if let (count, refusal) = self.appender.submit() { return [SpoolRefusal?](repeating: refusal, count: count) }
        return try self.outcomes(records.count)
    }

    @discardableResult
    func append(_ texts: String...) throws -> [SpoolRefusal?] { try self.append(texts.map { Array($0.utf8) }) }

    /// Waits until so many records have an outcome.
    func outcomes(_ count: Int) throws -> [SpoolRefusal?] {
        var outcomes: [SpoolRefusal?] = []
        try waitUntil("outcomes of \(count) records") {
            self.appender.takeResults { outcomes += [SpoolRefusal?](repeating: $1, count: $0) }
            return outcomes.count >= count
        }
        return outcomes
    }

    /// Everything that is durable from the position on.
    func texts(from position: UInt64 = 0) throws -> [String] {
        let reader = try self.spool.makeReader(from: SpoolPosition(offset: position))
        return try Self.texts(reader)
    }

    static func texts(_ reader: SpoolReader) throws -> [String] {
        var texts: [String] = []
        _ = try reader.read(recordsMax: .max, bytesMax: .max, waitMilliseconds: 0) { texts.append(text($0)) }
        return texts
    }
}

func text(_ record: RawSpan) -> String { record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

struct Timeout: Error, CustomStringConvertible {
    var description: String
}

/// Looks until the condition holds; a failed test after ten seconds.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    for attempt in 0..<100_000 {
        if try condition() { return }
        if attempt < 100 { sched_yield() } else { usleep(100) }
    }
    throw Timeout(description: "no \(what) in time")
}
