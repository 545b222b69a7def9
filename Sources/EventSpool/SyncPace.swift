/// When the next sync is worth its price: how many records it shall carry, or else until when they may wait for it.
///
/// A sync costs some 60 µs of CPU whatever it carries, thread switches included, so a quick disk would spend more on syncs
/// than on hits. While records are few, each is synced at once. While they are many, syncs come about once an interval:
/// a sync waits for `recordsWanted`, which are as many as the last ones carried and from time to time twice as many, and
/// never beyond `deadline`. Whoever waits for an answer before sending more so meets a pause only in one of 17 syncs.
struct SyncPace {
    static let intervalNanoseconds: UInt64 = 1_000_000
    /// So many syncs in a row find what they want before more is asked for.
    private static let metInRowMax = 16

    private(set) var recordsWanted = 1
    /// `MonotonicClock` nanoseconds.
    private(set) var deadline: UInt64 = 0
    private var metInRow = 0

    /// A sync of `records` begins.
    mutating func begin(records: Int, at now: UInt64) {
        if now >= self.deadline {
            self.recordsWanted = max(1, records)
            self.metInRow = 0
        } else {
            self.metInRow += 1
            if self.metInRow == Self.metInRowMax {
                self.recordsWanted = 2 * max(self.recordsWanted, records)
                self.metInRow = 0
            }
        }
        self.deadline = now + Self.intervalNanoseconds
    }
}
