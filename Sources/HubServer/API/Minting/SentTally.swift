import EventStore
import MessageIDs

/// Adds up the messages of one request into sent counts: one for each launch, resource, channel, provider, test flag and
/// minute of sending.
///
/// Without a request identity every `takeRecords` gives what came since the last one. With one it gives the whole
/// request's sums so far of what changed, so that a repeat of the request is told by its sums not being greater.
struct SentTally: Sendable {
    /// The width of the narrowest time bucket in reports.
    static let minuteNanoseconds: UInt64 = 60_000_000_000
    /// A request with an identity keeps its sums to its end: this bounds their memory (about 200 bytes each).
    static let keptMax = 20_000

    private struct Key: Hashable {
        var launch: LaunchID
        var resource: Int64
        var channel: Channel
        var provider: Provider
        var isTest: Bool
        var minute: UInt64
    }

    private struct Sum {
        var count: Int64 = 0
        /// The send time of its first message: it places the sum in its bucket.
        var sentAt: UInt64
    }

    private let request: UInt128?
    private var sums: [Key: Sum] = [:]
    private var changed: Set<Key> = []
    /// The present run of messages that count alike: nearly always the whole launch.
    private var run: (key: Key, sum: Sum)?

    init(request: UInt128?) {
        self.request = request
    }

    /// Counts the message; false when that needs a sum more than may be kept.
    mutating func count(_ message: SendMessageID) -> Bool {
        let key = Key(
            launch: message.launch, resource: message.resource, channel: message.channel, provider: message.provider,
            isTest: message.isTest, minute: message.sentAt / Self.minuteNanoseconds)
        if key != self.run?.key {
            self.closeRun()
            if self.request != nil && self.sums.count >= Self.keptMax && self.sums[key] == nil { return false }
            self.run = (key, Sum(sentAt: message.sentAt))
        }
        self.run?.sum.count += 1
        return true
    }

    /// The spool records to write before what was counted is answered.
    mutating func takeRecords() -> [[UInt8]] {
        self.closeRun()
        var records: [[UInt8]] = []
        for key in self.changed {
            guard let sum = self.sums[key] else { continue }
            // A request's sums are told apart by launch, resource, channel, provider and test flag, so a sum of another
            // minute gets an identity of its own.
            let sent = SentCount(
                launch: key.launch, resource: key.resource, channel: key.channel, provider: key.provider,
                isTest: key.isTest, sentAt: sum.sentAt, count: sum.count,
                request: self.request.map { $0 &+ UInt128(key.minute) })
            var record: [UInt8] = []
            sent.appendRecord(to: &record)
            records.append(record)
        }
        self.changed.removeAll(keepingCapacity: true)
        if self.request == nil { self.sums.removeAll(keepingCapacity: true) }
        return records
    }

    private mutating func closeRun() {
        guard let (key, sum) = self.run else { return }
        self.sums[key, default: Sum(sentAt: sum.sentAt)].count += sum.count
        self.changed.insert(key)
        self.run = nil
    }
}
