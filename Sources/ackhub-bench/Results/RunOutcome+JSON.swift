import StrictJSON

extension JSONWriter {
    /// A run as JSON: the names tell the units, the guide Benchmarks how the figures are made.
    mutating func outcome(_ outcome: RunOutcome) {
        self.beginObject()
        self.key("load")
        self.plan(outcome.plan)
        self.key("measured_seconds")
        self.number(outcome.measuredSeconds)
        self.key("requests_measured")
        self.number(outcome.tally.answersMeasured)
        self.key("requests_per_second")
        self.number(outcome.requestsPerSecond)
        self.key("latency_microseconds")
        self.percentiles(outcome.tally.latency)
        if outcome.plan.rate != nil {
            self.key("lateness_microseconds")
            self.percentiles(outcome.tally.lateness)
        }
        self.key("cpu_microseconds_per_request")
        self.numbers(outcome.processes, outcome.cpuPerRequest)
        if let cpuPerEvent = outcome.cpuPerEvent {
            self.key("cpu_microseconds_per_event")
            self.numbers(outcome.processes, cpuPerEvent)
        }
        self.key("all")
        self.tally(outcome.tally)
        if let check = outcome.check {
            self.key("check")
            self.check(check)
        }
        self.endObject()
    }

    private mutating func plan(_ plan: LoadPlan) {
        self.beginObject()
        self.key("connections")
        self.number(plan.connections)
        self.key("threads")
        self.number(plan.threads)
        self.key("rate")
        if let rate = plan.rate { self.number(rate) } else { self.null() }
        self.key("pipeline")
        self.number(plan.pipeline)
        self.key("new_connections")
        self.bool(plan.newConnections)
        self.key("tls")
        self.bool(plan.url.isTLS)
        self.key("warm_up_seconds")
        self.number(Double(plan.warmUpNanoseconds) / 1e9)
        self.key("duration_seconds")
        self.number(Double(plan.durationNanoseconds) / 1e9)
        self.endObject()
    }

    private mutating func tally(_ tally: LoadTally) {
        self.beginObject()
        self.key("sent")
        self.number(tally.sent)
        self.key("answered")
        self.number(tally.answered)
        self.key("statuses")
        self.beginObject()
        for (status, count) in tally.statuses.enumerated() where count > 0 {
            self.key(String(status))
            self.number(count)
        }
        self.endObject()
        self.key("failures")
        self.beginObject()
        for failure in LoadFailure.allCases where tally.failures[failure.rawValue] > 0 {
            self.key(failure.name)
            self.number(tally.failures[failure.rawValue])
        }
        self.endObject()
        self.key("unsent")
        self.number(tally.unsent)
        self.key("repeats")
        self.number(tally.repeats)
        self.key("connections_opened")
        self.number(tally.connectionsOpened)
        self.endObject()
    }

    private mutating func check(_ check: StoreCheck.Outcome) {
        self.beginObject()
        self.key("events")
        self.number(check.events)
        self.key("drain_seconds")
        if let seconds = check.drainSeconds { self.number(seconds) } else { self.null() }
        self.key("differences")
        self.beginArray()
        for difference in check.differences { self.string(difference) }
        self.endArray()
        self.endObject()
    }

    private mutating func percentiles(_ histogram: LatencyHistogram) {
        self.beginObject()
        for (name, percent) in [("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("max", 100)] {
            self.key(name)
            if let value = histogram.percentile(percent) { self.number(Double(value) / 1_000) } else { self.null() }
        }
        self.endObject()
    }

    private mutating func numbers(_ names: [String], _ values: [Double]) {
        self.beginObject()
        for (name, value) in zip(names, values) {
            self.key(name)
            self.number(value)
        }
        self.endObject()
    }
}
