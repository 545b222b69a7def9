/// What a run found.
struct RunOutcome: Sendable {
    let plan: LoadPlan
    /// The processes whose CPU time was read; the load generator's own is the last.
    let processes: [String]
    let tally: LoadTally
    let measuredSeconds: Double
    /// CPU microseconds of each process in the measured time.
    let cpuMeasured: [UInt64]
    /// CPU microseconds of each process from before the first request until the database held every event, or until the
    /// time to settle was over; nil without either.
    var cpuOfWhole: [UInt64]?
    var check: StoreCheck.Outcome?

    /// Whether every request was answered 2xx and, where it was checked, stored.
    var isRight: Bool { self.tally.isFlawless && self.check?.differences.isEmpty != false }

    var requestsPerSecond: Double { Double(self.tally.answersMeasured) / self.measuredSeconds }

    /// By process, over the answers of the measured time.
    var cpuPerRequest: [Double] { self.cpuMeasured.map { Double($0) / Double(self.tally.answersMeasured) } }

    /// By process, over the events that the database holds or, without a check, that were answered 2xx; nil without an
    /// event.
    var cpuPerEvent: [Double]? {
        let events = self.check.map { Int($0.events) } ?? self.tally.succeeded
        guard events > 0 else { return nil }
        return self.cpuOfWhole?.map { Double($0) / Double(events) }
    }
}

extension LoadTally {
    /// What came back, in words: `answered 12 (204: 12), failed 1 (timeout: 1), unsent 0`.
    var summary: String {
        let statuses = self.statuses.indices.filter { self.statuses[$0] > 0 }.map { "\($0): \(self.statuses[$0])" }
        let failures = LoadFailure.allCases.filter { self.failures[$0.rawValue] > 0 }
            .map { "\($0.name): \(self.failures[$0.rawValue])" }
        let list = { (parts: [String]) in parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))" }
        return
            "answered \(self.answered)\(list(statuses)), failed \(self.failed)\(list(failures)), unsent \(self.unsent)"
    }
}
