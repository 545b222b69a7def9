/// The queue in front of the writer. Its lock is the only thing that appenders share.
final class SpoolInbox: Sendable {
    private struct Content: Sendable {
        var groups: [RecordGroup] = []
        var bytes = 0
        var records = 0
        /// The writer waits until there are so many; nil: it does not wait.
        var recordsAwaited: Int?
        var isClosed = false
        var recordsRefused: [SpoolRefusal: UInt64] = [:]

        /// Whether there is nothing more to wait for.
        func hasAll(_ recordsWanted: Int, bytesMax: Int) -> Bool {
            self.records >= recordsWanted || self.bytes >= bytesMax || self.isClosed
        }

        /// Takes the records of a small group into its appender's last one, while that still waits.
        mutating func join(_ group: RecordGroup, groupBytesMax: Int) -> Bool {
            guard group.byteCount <= SpoolInbox.joinedBytesMax, !group.isContinued, group.bytesBehind == 0,
                let last = self.groups.suffix(SpoolInbox.joinsAcross).last(where: { $0.outbox === group.outbox }),
                last.byteCount + group.byteCount <= groupBytesMax
            else { return false }
            last.takeRecords(of: group)
            return true
        }
    }

    /// Larger groups are queued as they are: what is copied under the lock is small.
    private static let joinedBytesMax = 16 << 10
    /// So far back an appender's last group is looked for; about one waits for each appender.
    private static let joinsAcross = 64

    private let content = Monitor(Content())
    private let arrival = Condition()
    private let bytesMax: Int
    private let groupBytesMax: Int
    /// So many bytes are worth a sync, and leave room for what comes meanwhile.
    private var awaitedBytesMax: Int { max(1, min(SpoolConfiguration.batchBytesMax, self.bytesMax / 2)) }

    init(_ configuration: SpoolConfiguration) {
        self.bytesMax = configuration.waitingBytesMax
        self.groupBytesMax = configuration.groupBytesMax
    }

    /// Queues the groups in order; nil, or why none of them was taken. Leaves in `groups` those that it has no need of:
    /// while the disk hangs every turn makes a group, and so many of a few bytes each would hold memory for far more.
    func push(_ groups: inout [RecordGroup]) -> SpoolRefusal? {
        let (refusal, wakesWriter) = self.content.withLock { content -> (SpoolRefusal?, Bool) in
            var bytes = 0
            var records = 0
            for group in groups {
                bytes += group.byteCount
                records += group.records
            }
            // A single submission larger than the limit passes when nothing else waits, or what waits is only in want of
            // company.
            let mustFit = content.bytes > 0 && content.recordsAwaited == nil
            if content.isClosed || (mustFit && content.bytes + bytes > self.bytesMax) {
                let refusal = content.isClosed ? SpoolRefusal.closed : .full
                content.recordsRefused[refusal, default: 0] += UInt64(records)
                return (refusal, false)
            }
            var emptied: [RecordGroup] = []
            for group in groups {
                if content.join(group, groupBytesMax: self.groupBytesMax) {
                    emptied.append(group)
                } else {
                    content.groups.append(group)
                }
            }
            groups.removeAll(keepingCapacity: true)
            groups.append(contentsOf: emptied)
            content.bytes += bytes
            content.records += records
            guard let awaited = content.recordsAwaited, content.hasAll(awaited, bytesMax: self.awaitedBytesMax) else {
                return (nil, false)
            }
            content.recordsAwaited = nil
            return (nil, true)
        }
        if wakesWriter { self.arrival.signal() }
        return refusal
    }

    /// Waits for groups, the deadline or the end, and swaps the queue with `groups`, which is empty. Groups that are there
    /// wait for more as long as `pace` says. False: closed, and nothing will come any more.
    func take(_ groups: inout [RecordGroup], pace: borrowing SyncPace, until deadline: UInt64?) -> Bool {
        if pace.recordsWanted > 1 {
            self.wait(for: pace.recordsWanted, until: min(pace.deadline, deadline ?? .max)) { _ in }
        }
        return self.wait(for: 1, until: deadline) { content in
            swap(&content.groups, &groups)
            content.bytes = 0
            content.records = 0
            return !(groups.isEmpty && content.isClosed)
        }
    }

    private func wait<Result>(
        for records: Int, until deadline: UInt64?, _ body: (inout Content) -> Result
    ) -> Result {
        self.content.withLock(
            waitingOn: self.arrival, until: deadline,
            for: { content in
                content.recordsAwaited = content.hasAll(records, bytesMax: self.awaitedBytesMax) ? nil : records
                return content.recordsAwaited == nil
            },
            { content in
                content.recordsAwaited = nil
                return body(&content)
            })
    }

    func close() {
        self.content.withLock { $0.isClosed = true }
        self.arrival.signal()
    }

    func addMetrics(to metrics: inout SpoolMetrics) {
        let (bytes, refused) = self.content.withLock { ($0.bytes, $0.recordsRefused) }
        metrics.waitingBytes = UInt64(bytes)
        metrics.waitingBytesMax = UInt64(self.bytesMax)
        metrics.recordsRefused.merge(refused, uniquingKeysWith: +)
    }
}
