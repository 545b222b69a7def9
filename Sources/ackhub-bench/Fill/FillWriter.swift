import CLinux
import CommandLineOptions
import EventSpool
import EventStore
import Glibc
import Synchronization

/// Writes one hub's share of a fill into its spool, no further ahead of the loader than a bound. One thread.
final class FillWriter: Sendable {
    private let plan: FillPlan
    private let launches: FillLaunches
    private let spool: Spool
    private let loader: Loader
    /// It takes every step whose number divided by `hubs` leaves `hub`.
    private let hub: Int
    private let hubs: Int
    /// An eventfd that the spool's thread adds to when records are on disk. Outlives it: the spool is closed before.
    private let ready: Int32
    private let isStopped = Atomic<Bool>(false)
    private let outcome = Mutex<Result<FillLedger, CommandError>?>(nil)

    /// Steps between two looks at the clock, the backlog and the spool's answers: a busy event loop's group.
    private static let groupSteps = 512
    /// Bytes in the spool that are not loaded: some seconds' worth, and far below what a spool may hold.
    private static let backlogBytesMax: UInt64 = 64 << 20
    private static let pauseMicroseconds: UInt32 = 2_000

    init(
        plan: FillPlan, launches: FillLaunches, spool: Spool, loader: Loader, hub: Int, of hubs: Int
    ) throws(CommandError) {
        self.ready = clinux_eventfd_create()
        guard self.ready >= 0 else { throw CommandError("no eventfd: \(String(cString: strerror(errno)))") }
        self.plan = plan
        self.launches = launches
        self.spool = spool
        self.loader = loader
        self.hub = hub
        self.hubs = hubs
    }

    deinit { close(self.ready) }

    /// Blocks until everything is on disk, the spool refuses, or it is stopped.
    func run() {
        do throws(CommandError) {
            let ledger = try self.write()
            self.outcome.withLock { $0 = .success(ledger) }
        } catch {
            self.outcome.withLock { $0 = .failure(error) }
        }
    }

    func stop() { self.isStopped.store(true, ordering: .releasing) }

    /// What was put in; nil while it writes.
    ///
    /// - Throws: why the writing ended before its time.
    func ledger() throws(CommandError) -> FillLedger? { try self.outcome.withLock { $0 }?.get() }

    private func write() throws(CommandError) -> FillLedger {
        let appender = self.spool.makeAppender { [ready = self.ready] in
            var one: UInt64 = 1
            Glibc.write(ready, &one, 8)
        }
        var ledger = FillLedger(launches: self.launches.count)
        var record: [UInt8] = []
        var step = self.hub
        while step < self.plan.stepCount {
            try self.waitForRoom()
            let now = Self.now()
            let end = min(step + Self.groupSteps * self.hubs, self.plan.stepCount)
            var count = 0
            while step < end {
                let numbers = self.plan.step(step)
                for (number, isRepeat) in [(numbers.first, false), (numbers.again, true)] {
                    guard let number else { continue }
                    let event = self.plan.event(number)
                    record.removeAll(keepingCapacity: true)
                    self.launches.appendRecord(of: event, receivedAt: now, to: &record)
                    appender.append(record.span.bytes)
                    ledger.add(event, launch: self.launches.launch(ofMessage: event.message), isRepeat: isRepeat)
                    count += 1
                }
                step += self.hubs
            }
            try self.submit(appender, count)
        }
        return ledger
    }

    /// Returns when all records are on disk.
    private func submit(_ appender: SpoolAppender, _ count: Int) throws(CommandError) {
        var refusal = appender.submit()?.refusal
        var durable = 0
        while durable < count && refusal == nil {
            var entry = pollfd(fd: self.ready, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            var wakes: UInt64 = 0
            read(self.ready, &wakes, 8)
            appender.takeResults { results, why in
                durable += results
                if let why { refusal = why }
            }
        }
        if let refusal { throw CommandError("the spool refuses: \(refusal)") }
    }

    private func waitForRoom() throws(CommandError) {
        while self.spool.durable.offset > self.loader.loaded + Self.backlogBytesMax {
            guard !self.isStopped.load(ordering: .acquiring) else { throw CommandError("stopped") }
            usleep(Self.pauseMicroseconds)
        }
        guard !self.isStopped.load(ordering: .acquiring) else { throw CommandError("stopped") }
    }

    /// UNIX nanoseconds.
    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
