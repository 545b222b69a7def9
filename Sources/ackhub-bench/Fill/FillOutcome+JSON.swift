import StrictJSON

extension JSONWriter {
    /// A fill as JSON: the names tell the units, the guide Benchmarks how the figures are made.
    mutating func fill(_ outcome: FillOutcome) {
        self.beginObject()
        self.key("events")
        self.number(outcome.plan.recordCount)
        self.key("messages")
        self.number(outcome.plan.messageCount)
        self.key("launches")
        self.number(outcome.plan.launches)
        self.key("hubs")
        self.number(outcome.hubs)
        self.key("steps")
        self.beginArray()
        for step in outcome.steps { self.step(step, outcome.processes) }
        self.endArray()
        self.key("whole")
        if let whole = outcome.whole { self.step(whole, outcome.processes) } else { self.null() }
        self.key("differences")
        self.beginArray()
        for difference in outcome.differences { self.string(difference) }
        self.endArray()
        self.endObject()
    }

    private mutating func step(_ step: FillStep, _ processes: [String]) {
        self.beginObject()
        self.key("stored")
        self.number(step.stored)
        self.key("events_per_second")
        self.number(step.eventsPerSecond)
        self.key("events_per_batch")
        self.number(step.eventsPerBatch)
        self.key("loader_microseconds_per_event")
        self.number(step.loader)
        self.key("writer_microseconds_per_event")
        self.number(step.writer)
        self.key("cpu_microseconds_per_event")
        self.beginObject()
        for (name, microseconds) in zip(processes, step.processes) {
            self.key(name)
            self.number(microseconds)
        }
        self.endObject()
        self.key("wal_bytes_per_event")
        self.number(step.walBytes)
        self.key("database_bytes_per_event")
        self.number(step.databaseBytes)
        self.endObject()
    }
}
