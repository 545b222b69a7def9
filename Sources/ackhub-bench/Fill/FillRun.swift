import CommandLineOptions
import EventStore
import Glibc
import Postgres

/// Fills a store through the real spool and the real loader, as fast as they go, and reads what it costs.
struct FillRun {
    static let hubsLimit = 16
    static let batchRecordsLimit = 1_000_000

    /// As libpq reads it.
    var database: String
    var events: Int
    var account: Int64
    var mix: KindMix
    var launches: Int
    var repeatPercent: Int
    /// Events between two lines of figures.
    var stepEvents: Int
    var hubs: Int
    var batchRecordsMax: Int
    /// Where the spools are made.
    var directory: String
    var processes: [ProcessTree]

    /// With nothing loaded for so long the fill has failed.
    private static let patienceNanoseconds: UInt64 = 120 * 1_000_000_000
    private static let pauseMicroseconds: UInt32 = 10_000

    /// Blocks until all is loaded and compared; `onStep` gets each step's figures when they are there. SIGINT or SIGTERM ends
    /// the process when the hubs have ended and their spools are removed.
    func run(onStep: (FillOutcome, FillStep) throws -> Void) throws -> FillOutcome {
        let plan = FillPlan(
            events: self.events, mix: self.mix, launches: self.launches, repeatPercent: self.repeatPercent)
        let launches = FillLaunches(
            account: self.account, count: self.launches, messages: plan.messageCount, now: Self.now())
        let connection = try PostgresConnection(PostgresConfiguration(connection: self.database))
        return try StopSignals.putOff { try self.run(plan, launches, on: connection, onStep: onStep) }
    }

    private func run(
        _ plan: FillPlan, _ launches: FillLaunches, on connection: PostgresConnection,
        onStep: (FillOutcome, FillStep) throws -> Void
    ) throws -> FillOutcome {
        var outcome = FillOutcome(
            plan: plan, hubs: self.hubs, processes: self.processes.map(\.name) + [CPUReading.ownName])
        var first = try FillReading([], self.processes, on: connection)
        let hubs = try (0..<self.hubs).map { hub in
            try FillHub(self, plan: plan, launches: launches, hub: hub) {
                Output.diagnostic("hub \(hub): \($0)")
            }
        }
        defer { for hub in hubs { hub.close() } }
        // What a hub needs once is no event's.
        while !hubs.allSatisfy({ $0.loaded.isConnected }) {
            guard MonotonicClock.now() < first.nanoseconds + Self.patienceNanoseconds else {
                throw CommandError("the loader does not reach the database")
            }
            try Self.pause()
        }
        first = try FillReading(hubs, self.processes, on: connection)
        var before = first
        while before.events < plan.recordCount {
            let due = min(before.events + UInt64(self.stepEvents), UInt64(plan.recordCount))
            try self.wait(for: hubs, until: due)
            let reading = try FillReading(hubs, self.processes, on: connection)
            if let step = FillStep(from: before, to: reading) {
                outcome.steps.append(step)
                try onStep(outcome, step)
            }
            before = reading
        }
        outcome.whole = FillStep(from: first, to: before)
        outcome.differences = try self.differences(hubs, launches, on: connection)
        return outcome
    }

    /// Returns when so many events are loaded.
    private func wait(for hubs: [FillHub], until due: UInt64) throws {
        var loaded: UInt64 = 0
        var changedAt = MonotonicClock.now()
        while true {
            let now = hubs.reduce(0) { $0 + $1.loaded.events }
            if now >= due { return }
            if now != loaded { (loaded, changedAt) = (now, MonotonicClock.now()) }
            for hub in hubs { _ = try hub.ledger() }
            guard MonotonicClock.now() < changedAt + Self.patienceNanoseconds else {
                throw CommandError("nothing was loaded for \(Self.patienceNanoseconds / 1_000_000_000) s")
            }
            try Self.pause()
        }
    }

    private static func pause() throws(CommandError) {
        try StopSignals.check()
        usleep(Self.pauseMicroseconds)
    }

    private func differences(
        _ hubs: [FillHub], _ launches: FillLaunches, on connection: PostgresConnection
    ) throws -> [String] {
        var ledger = FillLedger(launches: launches.count)
        for hub in hubs {
            guard let share = try hub.ledger() else {
                return ["more events are loaded than were put in: a spool is still written"]
            }
            ledger.merge(share)
        }
        return try FillCheck(launches: launches, connection: connection).differences(ledger)
    }

    /// UNIX nanoseconds.
    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
