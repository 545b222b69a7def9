import Synchronization

@testable import EventStore

/// A spool in memory. Positions are byte offsets, as the spool's: each record takes its length and 8 bytes more.
final class RecordList: RecordSource, Sendable {
    struct OutOfRange: Error {}

    private struct State {
        var records: [[UInt8]] = []
        /// Begin of each record, and the end of the last.
        var offsets: [UInt64] = [0]
        var next = 0
        var released: UInt64 = 0
        /// Records before are gone.
        var oldest = 0
        /// Bytes without a record behind the last one.
        var gap: UInt64 = 0
        /// Of them, those passed.
        var skipped: UInt64 = 0
    }

    private let state = Mutex(State())

    init(_ records: [[UInt8]] = []) { self.append(records) }

    func append(_ records: [[UInt8]]) {
        self.state.withLock { state in
            for record in records {
                state.records.append(record)
                state.offsets.append(state.offsets[state.offsets.count - 1] + UInt64(record.count) + 8)
            }
        }
    }

    /// Forgets the first records, as a spool does that was told to release them.
    func drop(first count: Int) {
        self.state.withLock {
            $0.oldest = count
            $0.next = max($0.next, count)
        }
    }

    /// Ends with bytes that hold no record, as a sealed or damaged segment does. Nothing may be appended after.
    func endWithGap(bytes: UInt64) { self.state.withLock { $0.gap = bytes } }

    var end: UInt64 { self.state.withLock { $0.offsets[$0.offsets.count - 1] + $0.gap } }
    var released: UInt64 { self.state.withLock { $0.released } }
    func offset(of record: Int) -> UInt64 { self.state.withLock { $0.offsets[record] } }

    func read(recordsMax: Int, bytesMax: Int, waitMilliseconds: Int, _ body: (RawSpan) -> Void) throws -> Int {
        let records = self.state.withLock { state in
            let end = min(state.next + recordsMax, state.records.count)
            defer { state.next = end }
            if state.next == state.records.count { state.skipped = state.gap }
            return Array(state.records[state.next..<end])
        }
        for record in records { body(record.span.bytes) }
        return records.count
    }

    var position: UInt64 { self.state.withLock { $0.offsets[$0.next] + $0.skipped } }

    func seek(to position: UInt64) throws {
        try self.state.withLock { state in
            guard let place = state.offsets.firstIndex(of: position) else { throw OutOfRange() }
            state.next = max(place, state.oldest)
            state.skipped = 0
        }
    }

    func release(upTo position: UInt64) { self.state.withLock { $0.released = position } }
}
