/// The queue in front of the writer. Its lock is the only thing that appenders share.
final class SpoolInbox: Sendable {
    private struct Content: Sendable {
        var groups: [RecordGroup] = []
        var bytes = 0
        var isWriterWaiting = false
        var isClosed = false
        var recordsRefused: [SpoolRefusal: UInt64] = [:]

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

    init(_ configuration: SpoolConfiguration) {
        self.bytesMax = configuration.waitingBytesMax
        self.groupBytesMax = configuration.groupBytesMax
    }

    /// Queues the groups in order; nil, or why none of them was taken. Leaves in `groups` those that it has no need of:
    /// while the disk hangs every turn makes a group, and so many of a few bytes each would hold memory for far more.
    func push(_ groups: inout [RecordGroup]) -> SpoolRefusal? {
        let (refusal, wakesWriter) = self.content.withLock { content -> (SpoolRefusal?, Bool) in
            var bytes = 0
            for group in groups { bytes += group.byteCount }
            // A single submission larger than the limit passes when nothing else waits.
            if content.isClosed || (content.bytes > 0 && content.bytes + bytes > self.bytesMax) {
                let refusal = content.isClosed ? SpoolRefusal.closed : .full
                for group in groups { content.recordsRefused[refusal, default: 0] += UInt64(group.records) }
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
            let wakesWriter = content.isWriterWaiting
            content.isWriterWaiting = false
            return (nil, wakesWriter)
        }
        if wakesWriter { self.arrival.signal() }
        return refusal
    }

    /// Waits for groups, the deadline or the end, and swaps the queue with `groups`, which is empty. False: closed, and
    /// nothing will come any more.
    func take(_ groups: inout [RecordGroup], until deadline: UInt64?) -> Bool {
        self.content.withLock(
            waitingOn: self.arrival, until: deadline,
            for: { content in
                content.isWriterWaiting = content.groups.isEmpty && !content.isClosed
                return !content.isWriterWaiting
            },
            { content in
                content.isWriterWaiting = false
                swap(&content.groups, &groups)
                content.bytes = 0
                return !(groups.isEmpty && content.isClosed)
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
