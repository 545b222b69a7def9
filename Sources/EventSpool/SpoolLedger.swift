import Synchronization

/// What the threads of a spool know in common: the segments, how far the log is durable, why it refuses, the counters.
/// One lock, taken once a batch by the writer; the conditions say who waits for what.
final class SpoolLedger: Sendable {
    struct Facts: Sendable {
        /// In order of position; `segments[active]` is being written, those behind it are prepared.
        var segments: [Segment]
        var active: Int
        /// The end of the last durable record; before there is one, the base of the first segment.
        var durable: UInt64
        /// Everything before this was released.
        var released: UInt64
        var readersWaiting = 0

        /// Why nothing is accepted; each is set and cleared on its own.
        var hasFailed = false
        var isClosed = false
        var isTailBroken = false
        var starvation: SpoolRefusal?
        var isFull = false

        /// The keeper's orders.
        var nextIsWanted = false
        var removals: [Segment] = []
        var keeperMustEnd = false
        /// The last attempt to prepare a segment failed so, and no later one has succeeded.
        var preparationFailure: SpoolRefusal?

        var damagedAt: Set<UInt64> = []
        var metrics: SpoolMetrics

        var refusal: SpoolRefusal? {
            if self.hasFailed { return .failed }
            if self.isClosed { return .closed }
            if self.isTailBroken { return .diskFull }
            return self.starvation ?? (self.isFull ? .full : nil)
        }

        var held: UInt64 { self.durable - min(self.durable, max(self.released, self.segments[0].base)) }
    }

    let facts: Monitor<Facts>
    let log: @Sendable (String) -> Void
    /// Readers wait for it.
    let durableGrew = Condition()
    /// The keeper waits for it.
    let keeperWanted = Condition()
    /// The writer waits for it when it needs a segment that is not ready.
    let segmentTried = Condition()

    /// Beyond so many damaged places, further ones are counted each time they are met.
    private static let damagedPlacesMax = 1024

    init(_ facts: Facts, log: @escaping @Sendable (String) -> Void) {
        self.facts = Monitor(facts)
        self.log = log
    }

    /// Counts and logs a damaged region, once however often it is met.
    func noteDamage(_ region: Range<UInt64>, in segment: Segment?) {
        let isNew = self.facts.withLock { facts in
            guard facts.damagedAt.count < Self.damagedPlacesMax else {
                facts.metrics.corruptRegions += 1
                return true
            }
            guard facts.damagedAt.insert(region.lowerBound).inserted else { return false }
            facts.metrics.corruptRegions += 1
            return true
        }
        if isNew {
            self.log(
                "spool: \(region.count) damaged bytes skipped at position \(region.lowerBound)"
                    + (segment.map { " in \($0.fileName)" } ?? ", where a segment file is missing"))
        }
    }

    /// The end of what is durable, as soon as it lies beyond `position`, or at the deadline (0: at once). A closed spool is
    /// no reason to return early: a loader that goes on asking would spin.
    func durable(beyond position: UInt64, until deadline: UInt64) -> UInt64 {
        var counted = false
        return self.facts.withLock(
            waitingOn: self.durableGrew, until: deadline,
            for: { facts in
                if facts.durable > position || deadline == 0 { return true }
                if !counted {
                    facts.readersWaiting += 1
                    counted = true
                }
                return false
            },
            { facts in
                if counted { facts.readersWaiting -= 1 }
                return facts.durable
            })
    }
}
