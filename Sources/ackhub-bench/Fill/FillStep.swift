/// What the events between two readings cost. All figures but the first are per event.
struct FillStep: Sendable, Equatable {
    /// Events stored so far.
    var stored: UInt64
    var events: UInt64
    var eventsPerSecond: Double
    var eventsPerBatch: Double
    /// Microseconds of CPU.
    var loader: Double
    var writer: Double
    /// Microseconds of CPU of each process; the last one is this one, loaders and all.
    var processes: [Double]
    var walBytes: Double
    /// Growth of the database.
    var databaseBytes: Double

    /// nil when no event was loaded between them.
    init?(from begin: FillReading, to end: FillReading) {
        guard end.events > begin.events, end.nanoseconds > begin.nanoseconds else { return nil }
        let events = end.events - begin.events
        func perEvent(_ value: (FillReading) -> UInt64) -> Double {
            (Double(value(end)) - Double(value(begin))) / Double(events)
        }
        self.stored = end.events
        self.events = events
        self.eventsPerSecond = Double(events) * 1e9 / Double(end.nanoseconds - begin.nanoseconds)
        self.eventsPerBatch = Double(events) / Double(max(end.batches - begin.batches, 1))
        self.loader = perEvent { $0.loaderNanoseconds } / 1_000
        self.writer = perEvent { $0.writerNanoseconds } / 1_000
        self.processes = end.cpuMicroseconds.indices.map { place in perEvent { $0.cpuMicroseconds[place] } }
        self.walBytes = perEvent { $0.walBytes }
        self.databaseBytes = perEvent { $0.databaseBytes }
    }
}
