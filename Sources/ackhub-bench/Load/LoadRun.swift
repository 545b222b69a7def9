import CommandLineOptions
import Glibc
import MessageIDs

/// One run: warm-up, measured time, drain, and the check of the database.
struct LoadRun {
    /// Where the requests come from.
    enum Source: Sendable {
        case links(LinkSource)
        /// A file of targets.
        case targets(path: String)
    }

    /// Where the check looks, and how long it waits for the backlog.
    struct Database: Sendable {
        var url: String
        var patienceSeconds: Int
    }

    var plan: LoadPlan
    var source: Source
    /// Holds the token that goes with every request.
    var tokenFile: String?
    var processes: [ProcessTree] = []
    var database: Database?
    /// How long behind the last answer the processes' CPU time counts as the events', where no check says when all is done.
    var settleSeconds: Int?

    /// Blocks until all is done.
    ///
    /// - Throws: when the run could not begin, or nothing was answered in the measured time.
    func run() throws -> RunOutcome {
        var list = RequestList(
            authority: self.plan.url.authority, closes: self.plan.newConnections,
            token: try self.tokenFile.map(InputFile.token))
        let launches = try self.prepare(&list)
        let check = try self.database.map {
            try StoreCheck(launches!, database: $0.url, patienceSeconds: $0.patienceSeconds)
        }
        try DescriptorLimit.raise(toHold: self.plan.connections)
        let before = try CPUReading(self.processes)
        let window = LoadWindow(start: MonotonicClock.now(), self.plan)
        let loops = try self.loops(list, window)
        let threads = try LoadThreads(loops)
        threads.wait(until: window.measureStart)
        let atStart = try CPUReading(self.processes)
        threads.wait(until: window.end)
        let atEnd = try CPUReading(self.processes)
        let ended = min(MonotonicClock.now(), window.end)
        threads.join()

        var tally = LoadTally()
        for loop in loops { tally.merge(loop.tally) }
        guard ended > window.measureStart, tally.answersMeasured > 0 else {
            throw CommandError("nothing was answered in the measured time: \(tally.summary)")
        }
        var outcome = RunOutcome(
            plan: self.plan, processes: self.processes.map(\.name) + [CPUReading.ownName], tally: tally,
            measuredSeconds: Double(ended - window.measureStart) / 1e9,
            cpuMeasured: try atEnd.since(atStart))
        if let check {
            let loadedAt = try check.waitUntilLoaded(tally)
            outcome.cpuOfWhole = try CPUReading(self.processes).since(before)
            outcome.check = try check.run(tally, loadedAt: loadedAt)
        } else if let settleSeconds {
            sleep(UInt32(settleSeconds))
            outcome.cpuOfWhole = try CPUReading(self.processes).since(before)
        }
        return outcome
    }

    private func loops(_ list: RequestList, _ window: LoadWindow) throws(CommandError) -> [LoadLoop] {
        guard list.count >= self.plan.threads else {
            throw CommandError("\(list.count) requests are too few for \(self.plan.threads) threads")
        }
        var loops: [LoadLoop] = []
        for thread in 0..<self.plan.threads {
            loops.append(try LoadLoop(self.plan, window, thread: thread, list: list))
        }
        return loops
    }

    /// Makes the requests; the launches that their links belong to.
    private func prepare(_ list: inout RequestList) throws -> LaunchRange? {
        switch self.source {
        case .targets(let path):
            try TargetFile.append(path, to: &list)
            return nil
        case .links(let source):
            return try source.append(to: &list)
        }
    }
}
