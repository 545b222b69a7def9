import EventStore
import HTTPFrontEnd
import MessageIDs

/// A hit whose answer waits for the group commit.
struct WaitingHit {
    var exchange: HTTPExchangeID
    /// Monotonic nanoseconds.
    var since: UInt64
    var kind: EventKind
    var eventClass: EventClass
    var wantsImage: Bool
}

/// First in, first out: the spool reports its results in the order of appending; what it refuses at once is the last. Grows to what was needed once, then
/// allocates no more.
struct ExchangeQueue {
    private var slots: [WaitingHit]
    private var head = 0
    private(set) var count = 0

    init() { self.slots = Array(repeating: Self.empty, count: 1_024) }

    private static let empty = WaitingHit(
        exchange: HTTPExchangeID(rawValue: 0), since: 0, kind: .ack, eventClass: .human, wantsImage: false)

    mutating func append(_ hit: WaitingHit) {
        if self.count == self.slots.count { self.grow() }
        self.slots[(self.head + self.count) & (self.slots.count - 1)] = hit
        self.count += 1
    }

    mutating func removeFirst() -> WaitingHit {
        precondition(self.count > 0, "the spool reported more records than were appended")
        let hit = self.slots[self.head]
        self.head = (self.head + 1) & (self.slots.count - 1)
        self.count -= 1
        return hit
    }

    /// The one that was appended last.
    mutating func removeLast() -> WaitingHit {
        precondition(self.count > 0, "the spool refused more records than were appended")
        self.count -= 1
        return self.slots[(self.head + self.count) & (self.slots.count - 1)]
    }

    private mutating func grow() {
        var larger = Array(repeating: Self.empty, count: self.slots.count * 2)
        for offset in 0..<self.count { larger[offset] = self.slots[(self.head + offset) & (self.slots.count - 1)] }
        self.slots = larger
        self.head = 0
    }
}
