import EventStore
import MessageIDs

/// What really happened, counted while it happens: the answered hits of each message by kind and class, and those whose
/// answer nobody saw.
struct Truth: Sendable {
    /// A message's hits of one kind and class.
    struct Cell: Hashable, Sendable {
        var message: Int
        var kind: EventKind
        var eventClass: EventClass
    }

    private let plan: SimulationPlan
    private var certain: [Int]
    /// Hits that may or may not have been counted, where there are any.
    private(set) var unseen: [Cell: Int] = [:]

    private static let classCount = EventClass.allCases.count

    init(_ plan: SimulationPlan) {
        self.plan = plan
        self.certain = Array(repeating: 0, count: plan.messages.count * EventKind.allCases.count * Self.classCount)
    }

    private static func index(_ cell: Cell) -> Int {
        (cell.message * EventKind.allCases.count + (cell.kind == .ack ? 0 : 1)) * self.classCount
            + Int(cell.eventClass.rawValue)
    }

    /// The hub said that it has the event.
    mutating func answered(_ hit: PlannedHit) {
        guard hit.isEvent else { return }
        self.certain[Self.index(hit.cell)] += 1
    }

    /// The request was on its way, the answer never seen.
    mutating func wentUnseen(_ hit: PlannedHit) {
        guard hit.isEvent else { return }
        self.unseen[hit.cell, default: 0] += 1
    }

    func bounds(_ cell: Cell) -> Bounds {
        let certain = self.certain[Self.index(cell)]
        return Bounds(certain, certain + self.unseen[cell, default: 0])
    }

    /// The hub's own list of the message's events settles what nobody saw.
    ///
    /// - Returns: false when it is not within what can be.
    mutating func settle(_ cell: Cell, at count: Int) -> Bool {
        guard self.bounds(cell).contains(count) else { return false }
        self.certain[Self.index(cell)] = count
        self.unseen[cell] = nil
        return true
    }

    /// The row that a report must show of those messages of the launch.
    func row(includingTests: Bool, provider: Provider? = nil) -> ExpectedRow {
        var row = ExpectedRow()
        for (index, message) in self.plan.messages.enumerated() {
            guard includingTests || !message.isTest, provider == nil || provider == message.provider else { continue }
            let acks = self.count(.ack, of: index) { _ in true }
            let opens = self.count(.open, of: index, where: \.countsOpens)
            row.sent += 1
            row.acksTotal = row.acksTotal + acks
            row.opensTotal = row.opensTotal + opens
            // Each planned hit is repeated until it is answered: what happened at all is certain.
            if acks.low > 0 { row.acked += 1 }
            if opens.low > 0 { row.opened += 1 }
            if opens.low > 0 && acks.low == 0 { row.derived += 1 }
        }
        return row
    }

    /// Every hit of that kind and class in the launch.
    func total(_ kind: EventKind, _ eventClass: EventClass, includingTests: Bool) -> Bounds {
        self.plan.messages.indices.reduce(Bounds(exactly: 0)) { sum, index in
            guard includingTests || !self.plan.messages[index].isTest else { return sum }
            return sum + self.bounds(Cell(message: index, kind: kind, eventClass: eventClass))
        }
    }

    private func count(_ kind: EventKind, of message: Int, where isCounted: (EventClass) -> Bool) -> Bounds {
        EventClass.allCases.filter(isCounted).reduce(Bounds(exactly: 0)) {
            $0 + self.bounds(Cell(message: message, kind: kind, eventClass: $1))
        }
    }
}

/// A report's row (design section 9), as it must be.
struct ExpectedRow: Sendable, Equatable {
    var sent = 0
    var acked = 0
    var derived = 0
    var opened = 0
    var acksTotal = Bounds(exactly: 0)
    var opensTotal = Bounds(exactly: 0)
    var delivered: Int { self.acked + self.derived }
}

extension PlannedHit {
    var cell: Truth.Cell { Truth.Cell(message: self.message, kind: self.kind, eventClass: self.caller.eventClass) }
}
