/// One number of a run that runs are compared by.
enum Figure: String, Sendable, CaseIterable {
    case rate, cpu
    case eventCPU = "event-cpu"
    case ownCPU = "own-cpu"
    case p50, p90, p99
    case p999 = "p99.9"
    case max, drain
    case answered, repeats

    /// What it is, in JSON: its name with the unit last.
    var key: String {
        switch self {
        case .rate: "requests_per_second"
        case .cpu: "cpu_microseconds_per_request"
        case .eventCPU: "cpu_microseconds_per_event"
        case .ownCPU: "own_cpu_microseconds_per_request"
        case .p50: "latency_p50_microseconds"
        case .p90: "latency_p90_microseconds"
        case .p99: "latency_p99_microseconds"
        case .p999: "latency_p99_9_microseconds"
        case .max: "latency_max_microseconds"
        case .drain: "drain_seconds"
        case .answered: "answered_2xx"
        case .repeats: "repeats"
        }
    }

    var help: String {
        switch self {
        case .rate: "answers a second"
        case .cpu: "CPU µs of all --process trees per answer"
        case .eventCPU: "CPU µs of all --process trees per event, until it is loaded or --settle-seconds\nare over"
        case .ownCPU: "CPU µs of ackhub-bench per answer"
        case .p50, .p90, .p99, .p999, .max: "latency in µs"
        case .drain: "seconds from the last answer until all was loaded"
        case .answered: "requests answered 2xx, warm-up included; of all runs together"
        case .repeats: "requests whose link had been hit before in their run; of all\nruns together"
        }
    }

    /// Whether it counts something, so that runs are added up where other figures have a median.
    var isTotal: Bool { self == .answered || self == .repeats }

    /// Digits after the point that mean something.
    var digits: Int {
        switch self {
        case .cpu, .eventCPU, .ownCPU, .drain: 2
        case .rate, .p50, .p90, .p99, .p999, .max, .answered, .repeats: 0
        }
    }

    /// Nil where the run did not look for it.
    func value(_ outcome: RunOutcome) -> Double? {
        switch self {
        case .rate: outcome.requestsPerSecond
        case .cpu: Self.sum(outcome.cpuPerRequest.dropLast())
        case .eventCPU: outcome.cpuPerEvent.flatMap { Self.sum($0.dropLast()) }
        case .ownCPU: outcome.cpuPerRequest.last
        case .p50: Self.microseconds(outcome, 50)
        case .p90: Self.microseconds(outcome, 90)
        case .p99: Self.microseconds(outcome, 99)
        case .p999: Self.microseconds(outcome, 99.9)
        case .max: Self.microseconds(outcome, 100)
        case .drain: outcome.check?.drainSeconds
        case .answered: Double(outcome.tally.succeeded)
        case .repeats: Double(outcome.tally.repeats)
        }
    }

    private static func sum(_ values: ArraySlice<Double>) -> Double? { values.isEmpty ? nil : values.reduce(0, +) }

    private static func microseconds(_ outcome: RunOutcome, _ percent: Double) -> Double? {
        outcome.tally.latency.percentile(percent).map { Double($0) / 1_000 }
    }
}
