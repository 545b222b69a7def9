import CommandLineOptions
import Glibc
import MessageIDs
import Postgres

/// Waits until a run's events are in the database, and compares what is there with what was answered.
struct StoreCheck {
    struct Outcome: Sendable, Equatable {
        /// From the last answer until the counters held every event; nil when they did not in time.
        var drainSeconds: Double?
        /// Events that the database holds.
        var events: Int64 = 0
        var differences: [String] = []
    }

    let launches: LaunchRange
    private let connection: PostgresConnection
    private let patienceSeconds: Int

    private static let pauseNanoseconds: UInt64 = 20_000_000
    /// The counters of many launches take their time to be added up: asked again too soon, the question itself would be
    /// much of what PostgreSQL does.
    private static let pausePerQuestion: UInt64 = 10

    /// Connects, so that a wrong address is found before the run.
    init(_ launches: LaunchRange, database: String, patienceSeconds: Int) throws(PostgresError) {
        self.launches = launches
        self.patienceSeconds = patienceSeconds
        self.connection = try PostgresConnection(PostgresConfiguration(connection: database))
        _ = try StoredCounts.counted(of: launches, on: self.connection)
    }

    /// Waits until the counters hold as many events as were answered, at most for the patience; the monotonic time then.
    func waitUntilLoaded(_ tally: LoadTally) throws -> UInt64? {
        let answered = Int64(tally[.ack].answered + tally[.open].answered)
        let deadline = MonotonicClock.now() + UInt64(self.patienceSeconds) * 1_000_000_000
        while true {
            let asked = MonotonicClock.now()
            let counted = try StoredCounts.counted(of: self.launches, on: self.connection)
            let told = MonotonicClock.now()
            if counted >= answered { return told }
            guard told < deadline else { return nil }
            usleep(UInt32(max(Self.pauseNanoseconds, (told - asked) * Self.pausePerQuestion) / 1_000))
        }
    }

    /// - Parameter loadedAt: what `waitUntilLoaded` returned.
    func run(_ tally: LoadTally, loadedAt: UInt64?) throws -> Outcome {
        let stored = try StoredCounts(of: self.launches, on: self.connection)
        var outcome = Outcome()
        outcome.drainSeconds = loadedAt.map { Double($0 - min($0, tally.lastAnswer)) / 1e9 }
        outcome.events = stored.acks.events + stored.opens.events
        if loadedAt == nil {
            outcome.differences.append("the backlog was not loaded within \(self.patienceSeconds) s")
        }
        outcome.differences += Self.differences(.ack, tally[.ack], stored.acks)
        outcome.differences += Self.differences(.open, tally[.open], stored.opens)
        return outcome
    }

    /// What does not agree, each as a sentence. A request without an answer may have been taken or not: with such ones
    /// the database may hold as many more.
    static func differences(_ kind: RequestKind, _ tally: KindTally, _ stored: StoredCounts.OfKind) -> [String] {
        let events = Int64(tally.answered)...Int64(tally.answered + tally.unknown)
        let links = Int64(tally.distinctAnswered)...Int64(tally.distinctAnswered + tally.distinctUnknown)
        let compared: [(String, Int64, ClosedRange<Int64>)] = [
            ("rows of event_log", stored.events, events),
            ("messages in event_log", stored.distinct, links),
            ("first events in event_log", stored.firsts, links),
            ("events by the counters", stored.total, events),
            ("unique events by the counters", stored.unique, links),
        ]
        return compared.compactMap { name, found, expected in
            if expected.contains(found) { return nil }
            let due =
                expected.lowerBound == expected.upperBound
                ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
            return "\(kind)s, \(name): \(found) are stored, \(due) were answered"
        }
    }
}
