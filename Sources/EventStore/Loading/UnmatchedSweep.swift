import MessageIDs

/// Looks through the parked events for those whose message is known by now, a part at a time, and loads them.
///
/// Each look costs the same whatever is parked. So events of a hostile client, who can park many, delay those of others but
/// never the loader.
struct UnmatchedSweep {
    /// Rows that one look goes through.
    static let examinedRowsMax = 10_000

    private var batch = LoadBatch()
    /// The look goes on behind this row.
    private var cursor = UnmatchedEvent.ID.first
    /// Rows loaded in one transaction: falls when one of them may be at fault, then grows again.
    private var loadedRowsMax = Self.examinedRowsMax
    /// What the last look tried to load.
    private var attempted: [UnmatchedEvent] = []

    struct Outcome {
        /// Events whose message was there.
        var matched = 0
        /// Of them, those that repeat a report.
        var repeated = 0
        /// Records that could not be read, put into quarantine.
        var quarantined = 0
        /// There is more to load at once.
        var hasMore = false
    }

    /// One look. `position` is the loader's, under which a bad record is put aside.
    mutating func run(with session: LoaderSession, position: UInt64) throws -> Outcome {
        self.attempted.removeAll(keepingCapacity: true)
        let examined = try session.listUnmatched(after: self.cursor, rowsMax: Self.examinedRowsMax)
        let isEnd = examined.count < Self.examinedRowsMax
        let messages = try session.findMessages(Self.names(examined))
        self.attempted = Array(examined.lazy.filter { messages[$0.id.message] != nil }.prefix(self.loadedRowsMax))
        var outcome = Outcome()
        if let last = self.attempted.last {
            self.batch.reset(begin: position, keepsRecord: false)
            try session.loadUnmatched(self.attempted, of: messages, through: &self.batch)
            outcome.matched = self.batch.events.count
            outcome.repeated = self.batch.repeatCount
            outcome.quarantined = self.batch.refused.count
            if self.attempted.count == self.loadedRowsMax {
                self.cursor = last.id
                outcome.hasMore = true
                self.loadedRowsMax = min(self.loadedRowsMax * 2, Self.examinedRowsMax)
                return outcome
            }
            outcome.hasMore = !isEnd
        }
        self.cursor = isEnd ? .first : examined[examined.count - 1].id
        self.loadedRowsMax = min(self.loadedRowsMax * 2, Self.examinedRowsMax)
        return outcome
    }

    /// After an error: the next look tries half as many. Returns the row that failed when it was alone already: the next
    /// look goes on behind it, so that it keeps none of the others back.
    mutating func narrow() -> UnmatchedEvent? {
        guard let first = self.attempted.first else { return nil }
        guard self.loadedRowsMax == 1 else {
            self.loadedRowsMax = max(1, self.attempted.count / 2)
            return nil
        }
        self.cursor = first.id
        return first
    }

    private static func names(_ rows: [UnmatchedEvent]) -> [MessageName] {
        var names: [MessageName] = []
        for row in rows where row.id.message != names.last { names.append(row.id.message) }
        return names
    }
}
