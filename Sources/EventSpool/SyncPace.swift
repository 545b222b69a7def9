/// When the next sync is worth its price: how many records it shall carry, or else until when they may wait for it.
///
/// A sync costs some 60 µs of CPU whatever it carries, thread switches included, so a quick disk would spend more on syncs
/// than on hits. A sync waits for `recordsWanted`, as many as the last ones carried, but never beyond `deadline`, an
/// interval after the last one: with few records that is at once, with many about once an interval. After a row of
/// syncs that found what they wanted, twice as many are asked for. When no more come than before, the next such question
/// comes after a row twice as long, so that callers who wait for their answers before they send more are seldom held up.
struct SyncPace {
    static let intervalNanoseconds: UInt64 = 1_000_000
    private static let rowFirst = 16
    private static let rowMax = 1_024
    private static let recordsMax = 1 << 20

    private(set) var recordsWanted = 1
    /// `MonotonicClock` nanoseconds.
    private(set) var deadline: UInt64 = 0
    /// Syncs in a row that found what they wanted.
    private var row = 0
    /// More is asked for after a row of so many.
    private var rowWanted = rowFirst
    /// What the sync before the question wanted, until the question has its answer.
    private var recordsBefore: Int?

    /// A sync of `records`, at least one, begins.
    mutating func begin(records: Int, at now: UInt64) {
        if now < self.deadline, records >= self.recordsWanted {
            self.row += 1
        } else {
            self.row = 0
        }
        if let before = self.recordsBefore.take() {
            self.rowWanted = records > before ? Self.rowFirst : min(2 * self.rowWanted, Self.rowMax)
        }
        if self.row == 0 {
            self.recordsWanted = min(records, Self.recordsMax)
        } else if self.row >= self.rowWanted {
            self.recordsBefore = self.recordsWanted
            self.recordsWanted = min(2 * max(self.recordsWanted, records), Self.recordsMax)
            self.row = 0
        }
        self.deadline = now + Self.intervalNanoseconds
    }
}
