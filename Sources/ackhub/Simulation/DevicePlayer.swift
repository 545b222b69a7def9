import CommandLineOptions
import Glibc

/// Plays a plan's hits against a hub: one thread, some sixty connections.
///
/// A hit that meets a closed port, a broken connection, silence or a 503 is sent again, later and later, until the hub
/// takes it; only an outage longer than the patience ends the play.
final class DevicePlayer {
    private let plan: SimulationPlan
    private let links: [MintedMessage]
    private let authority: String
    private let target: ResolvedAddress
    private let patienceNanoseconds: UInt64
    private var random: SimulationRandom
    private let connections = (0..<connectionCount).map { _ in DeviceConnection() }
    private let started = WallClock.monotonic()
    private var nextPlanned = 0
    /// Hits to send again, the latest first.
    private var repeats: [(due: UInt64, job: DeviceJob)] = []
    /// Since when nothing but failures comes.
    private var failingSince: UInt64?

    private(set) var truth: Truth
    private(set) var record = PlayRecord()

    private static let connectionCount = 64
    private static let requestsPerConnectionMax = 200
    private static let answerTimeoutNanoseconds: UInt64 = 10_000_000_000
    private static let pauseNanosecondsMin: UInt64 = 50_000_000
    private static let pauseNanosecondsMax: UInt64 = 1_000_000_000
    /// Faults are all counted; so many are told in words.
    private static let faultsToldMax = 20

    init(
        _ plan: SimulationPlan, links: [MintedMessage], authority: String, target: ResolvedAddress, seed: UInt64,
        patienceSeconds: Int
    ) {
        self.plan = plan
        self.links = links
        self.authority = authority
        self.target = target
        self.patienceNanoseconds = UInt64(patienceSeconds) * 1_000_000_000
        self.random = SimulationRandom(seed: ~seed)
        self.truth = Truth(plan)
    }

    /// Returns when every hit was taken.
    ///
    /// - Throws: when the hub was away for longer than the patience.
    func play(progress: (PlayRecord, _ remaining: Int) -> Void) throws {
        while true {
            let now = WallClock.monotonic()
            self.startDueJobs(now)
            let busy = self.connections.count(where: \.isBusy)
            progress(self.record, self.plan.hits.count - self.nextPlanned + self.repeats.count + busy)
            if busy == 0 && self.nextPlanned == self.plan.hits.count && self.repeats.isEmpty { return }
            if let failingSince, now > failingSince + self.patienceNanoseconds {
                throw CommandError(
                    "no hit was taken for \(self.patienceNanoseconds / 1_000_000_000) s, last: "
                        + (self.record.lastFailure ?? "no answer"))
            }
            self.wait(until: self.nextDue(now), now)
        }
    }

    private func due(_ hit: PlannedHit) -> UInt64 { self.started + UInt64(hit.at * 1e9) }

    /// When the next hit is due, or the soonest time to look again.
    private func nextDue(_ now: UInt64) -> UInt64 {
        var next = now + 200_000_000
        guard self.connections.contains(where: { !$0.isBusy }) else { return next }
        if self.nextPlanned < self.plan.hits.count { next = min(next, self.due(self.plan.hits[self.nextPlanned])) }
        if let last = self.repeats.last { next = min(next, last.due) }
        return next
    }

    private func startDueJobs(_ now: UInt64) {
        for connection in self.connections where !connection.isBusy {
            guard let job = self.takeDueJob(now) else { return }
            let outcome = connection.start(
                job, target: self.target, deadline: now + Self.answerTimeoutNanoseconds,
                requestsMax: Int.random(in: 1...Self.requestsPerConnectionMax, using: &self.random))
            if let outcome { self.finish(job, outcome) }
        }
    }

    private func takeDueJob(_ now: UInt64) -> DeviceJob? {
        if let last = self.repeats.last, last.due <= now { return self.repeats.removeLast().job }
        guard self.nextPlanned < self.plan.hits.count, self.due(self.plan.hits[self.nextPlanned]) <= now else {
            return nil
        }
        let hit = self.plan.hits[self.nextPlanned]
        self.nextPlanned += 1
        let bytes = DeviceRequest.bytes(
            of: hit, link: self.links[hit.message].path(hit.kind), authority: self.authority)
        return DeviceJob(hit: hit, bytes: bytes, failures: 0)
    }

    private func wait(until moment: UInt64, _ now: UInt64) {
        var entries: [pollfd] = []
        var owners: [DeviceConnection] = []
        for connection in self.connections {
            if let entry = connection.pollEntry {
                entries.append(entry)
                owners.append(connection)
            }
        }
        let milliseconds = moment > now ? Int32((moment - now + 999_999) / 1_000_000) : 0
        poll(&entries, nfds_t(entries.count), milliseconds)
        let now = WallClock.monotonic()
        for (entry, connection) in zip(entries, owners) {
            let job = connection.job
            var outcome: DeviceConnection.Outcome?
            if entry.revents != 0 { outcome = connection.advance(readable: entry.revents & ~Int16(POLLOUT) != 0) }
            if outcome == nil, connection.isBusy, now > connection.deadline { outcome = connection.timeOut() }
            if let job, let outcome { self.finish(job, outcome) }
        }
    }

    private func finish(_ job: DeviceJob, _ outcome: DeviceConnection.Outcome) {
        switch outcome {
        case .answered(let answer) where answer.status == 503:
            self.record.unavailable += 1
            self.retry(job, reason: "503")
        case .answered(let answer):
            self.failingSince = nil
            self.record.answered += 1
            self.record.count(job.hit)
            if let fault = DeviceRequest.fault(in: answer, to: job.hit) {
                self.tell("\(job.hit.request) of message \(job.hit.message): \(fault)")
            } else {
                self.truth.answered(job.hit)
            }
            if job.hit.answer == .lost {
                self.record.lost += 1
                self.sendAgain(job)
            }
        case .abandoned:
            self.record.abandoned += 1
            self.truth.wentUnseen(job.hit)
            self.sendAgain(job)
        case .failed(let reason, let mayCount):
            self.record.failed += 1
            if mayCount {
                self.record.unseen += 1
                self.truth.wentUnseen(job.hit)
            }
            self.retry(job, reason: reason)
        }
    }

    /// The client saw no answer, by plan: the same request once more.
    private func sendAgain(_ job: DeviceJob) {
        var job = job
        job.hit.answer = .read
        self.schedule(job, after: Self.pauseNanosecondsMin)
    }

    private func retry(_ job: DeviceJob, reason: String) {
        var job = job
        job.failures += 1
        self.record.lastFailure = reason
        if self.failingSince == nil { self.failingSince = WallClock.monotonic() }
        self.schedule(
            job, after: min(Self.pauseNanosecondsMin << UInt64(min(job.failures, 10)), Self.pauseNanosecondsMax))
    }

    /// With up to half as much added by chance, so that what failed together does not come back together.
    private func schedule(_ job: DeviceJob, after pause: UInt64) {
        let due = WallClock.monotonic() + pause + UInt64.random(in: 0...(pause / 2), using: &self.random)
        var (low, high) = (0, self.repeats.count)
        while low < high {
            let middle = (low + high) / 2
            if self.repeats[middle].due > due { low = middle + 1 } else { high = middle }
        }
        self.repeats.insert((due, job), at: low)
    }

    private func tell(_ fault: String) {
        self.record.faultCount += 1
        if self.record.faults.count < Self.faultsToldMax { self.record.faults.append(fault) }
    }
}

/// What happened on the wire during a play.
struct PlayRecord: Sendable {
    /// Requests answered otherwise than with 503.
    var answered = 0
    var unavailable = 0
    /// Connections refused or broken, answers that did not come.
    var failed = 0
    /// Those of `failed` whose request the hub may have read.
    var unseen = 0
    /// Answers that arrived and were treated as if they had not.
    var lost = 0
    /// Connections closed by the client before the answer.
    var abandoned = 0
    var damaged = 0
    var heads = 0
    var repaired = 0
    var lastFailure: String?
    /// Answers that were wrong.
    var faultCount = 0
    var faults: [String] = []

    mutating func count(_ hit: PlannedHit) {
        switch hit.request {
        case .damaged: self.damaged += 1
        case .head, .options: self.heads += 1
        case .repaired: self.repaired += 1
        case .get, .post, .image: break
        }
    }
}
