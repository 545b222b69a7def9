import EventSpool
import EventStore
import HubLinks
import MessageIDs
import Synchronization

/// One loop's counters. Only that loop writes, so an increment is a plain load and store; /metrics reads from elsewhere.
final class DeviceCounters: Sendable {
    typealias Counter = Atomic<UInt64>

    /// Durable hits: index kind × class.
    private let hits: InlineArray<10, Counter> = InlineArray { _ in Counter(0) }
    private let damaged: InlineArray<16, Counter> = InlineArray { _ in Counter(0) }
    /// Index kind.
    private let expired: InlineArray<2, Counter> = InlineArray { _ in Counter(0) }
    private let refused: InlineArray<8, Counter> = InlineArray { _ in Counter(0) }
    private let headIgnored = Counter(0)
    private let imageAnswers = Counter(0)
    private let sentAhead = Counter(0)
    private let waiting = Counter(0)
    /// Times that the loop was woken: /healthz wakes it and looks.
    private let wakes = Counter(0)
    private let latencyBuckets: InlineArray<14, Counter> = InlineArray { _ in Counter(0) }
    private let latencyNanoseconds = Counter(0)

    /// Why a hit was answered with 503.
    enum Refusal: String, CaseIterable, Sendable {
        case full, diskFull = "disk_full", failed, closed, draining
        /// `DeviceHandler.waitingMax` was reached.
        case waiting

        init(_ refusal: SpoolRefusal) {
            switch refusal {
            case .full: self = .full
            case .diskFull: self = .diskFull
            case .failed: self = .failed
            case .closed: self = .closed
            }
        }
    }

    /// Upper bounds of the latency histogram in nanoseconds; one more bucket is beyond.
    static let latencyBounds: InlineArray<13, UInt64> = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000,
    ]

    static let damageKinds = LinkDamage.allCases

    /// A single writer needs no locked instruction.
    @inline(__always)
    private static func add(_ amount: UInt64, to counter: borrowing Counter) {
        counter.store(counter.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    func countDamaged(_ damage: LinkDamage) {
        // Allocation-free: a raw-value enum's place among eleven.
        for (index, kind) in Self.damageKinds.enumerated() where kind == damage { Self.add(1, to: self.damaged[index]) }
    }
    func countExpired(_ kind: EventKind) { Self.add(1, to: self.expired[Int(kind.rawValue) - 1]) }
    func countRefused(_ refusal: Refusal) {
        for (index, reason) in Refusal.allCases.enumerated() where reason == refusal {
            Self.add(1, to: self.refused[index])
        }
    }
    func countHeadIgnored() { Self.add(1, to: self.headIgnored) }
    func countSentAhead() { Self.add(1, to: self.sentAhead) }
    func countWake() { Self.add(1, to: self.wakes) }
    func setWaiting(_ count: Int) { self.waiting.store(UInt64(count), ordering: .relaxed) }

    func countHit(_ hit: WaitingHit, latency: UInt64) {
        Self.add(1, to: self.hits[(Int(hit.kind.rawValue) - 1) * 5 + Int(hit.eventClass.rawValue)])
        if hit.wantsImage { Self.add(1, to: self.imageAnswers) }
        var bucket = 0
        while bucket < Self.latencyBounds.count && latency > Self.latencyBounds[bucket] { bucket += 1 }
        Self.add(1, to: self.latencyBuckets[bucket])
        Self.add(latency, to: self.latencyNanoseconds)
    }

    var wakeCount: UInt64 { self.wakes.load(ordering: .relaxed) }

    /// Adds this loop's counts to a sum over all loops.
    func add(to sum: inout DeviceMetrics) {
        for kind in EventKind.allCases {
            for eventClass in EventClass.allCases {
                let index = (Int(kind.rawValue) - 1) * 5 + Int(eventClass.rawValue)
                sum.hits[DeviceMetrics.Hit(kind: kind, eventClass: eventClass), default: 0] +=
                    self.hits[index].load(ordering: .relaxed)
            }
            sum.expired[kind, default: 0] += self.expired[Int(kind.rawValue) - 1].load(ordering: .relaxed)
        }
        for (index, kind) in Self.damageKinds.enumerated() {
            sum.damaged[kind, default: 0] += self.damaged[index].load(ordering: .relaxed)
        }
        for (index, reason) in Refusal.allCases.enumerated() {
            sum.refused[reason, default: 0] += self.refused[index].load(ordering: .relaxed)
        }
        sum.headIgnored += self.headIgnored.load(ordering: .relaxed)
        sum.imageAnswers += self.imageAnswers.load(ordering: .relaxed)
        sum.sentAhead += self.sentAhead.load(ordering: .relaxed)
        sum.waiting += self.waiting.load(ordering: .relaxed)
        for bucket in 0..<self.latencyBuckets.count {
            sum.latencyBuckets[bucket] += self.latencyBuckets[bucket].load(ordering: .relaxed)
        }
        sum.latencySeconds += Double(self.latencyNanoseconds.load(ordering: .relaxed)) / 1e9
    }
}

/// The device path's counts over all loops.
struct DeviceMetrics: Sendable {
    struct Hit: Hashable, Sendable {
        var kind: EventKind
        var eventClass: EventClass
    }
    var hits: [Hit: UInt64] = [:]
    var damaged: [LinkDamage: UInt64] = [:]
    var expired: [EventKind: UInt64] = [:]
    var refused: [DeviceCounters.Refusal: UInt64] = [:]
    var headIgnored: UInt64 = 0
    var imageAnswers: UInt64 = 0
    var sentAhead: UInt64 = 0
    var waiting: UInt64 = 0
    var latencyBuckets = [UInt64](repeating: 0, count: 14)
    var latencySeconds = 0.0
}
