extension RunOutcome {
    /// For people, several lines.
    var text: String {
        var lines = [self.loadText, self.tally.summary, self.rateText, self.latencyText]
        if self.plan.rate != nil {
            lines.append("late      " + Self.percentiles(self.tally.lateness) + " (sent after they were due)")
        }
        for (name, cpu) in zip(self.processes, self.cpuPerRequest) {
            lines.append("cpu       \(name): \(cpu.fixedPoint(2)) µs a request")
        }
        if let cpuPerEvent {
            for (name, cpu) in zip(self.processes, cpuPerEvent) {
                lines.append("whole     \(name): \(cpu.fixedPoint(2)) µs an event, until all was loaded or had settled")
            }
        }
        if let check {
            let drain = check.drainSeconds.map { "backlog 0 after \($0.fixedPoint(2)) s" } ?? "backlog not 0"
            lines.append(
                "check     \(check.events) events stored, \(drain), differences: \(check.differences.count)")
        }
        return lines.joined(separator: "\n")
    }

    private var loadText: String {
        let pace = self.plan.rate.map { "open loop, \($0) requests/s" } ?? "closed loop"
        let connections = self.plan.newConnections ? "a new connection each" : "keep-alive"
        return "load      \(pace), \(connections), \(self.plan.connections) connections, "
            + "pipeline \(self.plan.pipeline), \(self.plan.url.isTLS ? "TLS" : "plain")"
    }

    private var rateText: String {
        "rate      \(self.requestsPerSecond.fixedPoint(0)) requests/s over \(self.measuredSeconds.fixedPoint(2)) s"
            + (self.tally.repeats > 0 ? ", \(self.tally.repeats) of all requests were repeats" : "")
    }

    private var latencyText: String { "latency   " + Self.percentiles(self.tally.latency) }

    private static func percentiles(_ histogram: LatencyHistogram) -> String {
        [("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("max", 100)].map { name, percent in
            let microseconds = histogram.percentile(percent).map { (Double($0) / 1_000).fixedPoint(0) } ?? "–"
            return "\(name) \(microseconds) µs"
        }.joined(separator: ", ")
    }
}
