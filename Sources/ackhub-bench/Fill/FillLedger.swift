import MessageIDs

/// What was put in, launch by launch.
struct FillLedger: Sendable, Equatable {
    struct Counts: Sendable, Equatable {
        var acksTotal: Int64 = 0
        var acked: Int64 = 0
        var opensTotal: Int64 = 0
        var opened: Int64 = 0
        var derived: Int64 = 0
    }

    private(set) var launches: [Counts]
    /// Events, repeats included.
    private(set) var events = 0

    init(launches: Int) { self.launches = Array(repeating: Counts(), count: launches) }

    mutating func add(_ event: FillPlan.Event, launch: Int, isRepeat: Bool) {
        self.events += 1
        switch event.kind {
        case .ack:
            self.launches[launch].acksTotal += 1
            if !isRepeat { self.launches[launch].acked += 1 }
        case .open:
            self.launches[launch].opensTotal += 1
            guard !isRepeat else { return }
            self.launches[launch].opened += 1
            if !event.isAcked { self.launches[launch].derived += 1 }
        }
    }

    mutating func merge(_ other: FillLedger) {
        precondition(self.launches.count == other.launches.count, "ledgers of one fill have the same launches")
        self.events += other.events
        for (launch, counts) in other.launches.enumerated() {
            self.launches[launch].acksTotal += counts.acksTotal
            self.launches[launch].acked += counts.acked
            self.launches[launch].opensTotal += counts.opensTotal
            self.launches[launch].opened += counts.opened
            self.launches[launch].derived += counts.derived
        }
    }
}
