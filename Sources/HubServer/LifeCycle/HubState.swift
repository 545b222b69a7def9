import Synchronization

/// Where a hub is in its life; only forward.
final class HubState: Sendable {
    enum Phase: UInt8, Sendable {
        case starting, serving, draining, stopped
    }
    private let value = Atomic<UInt8>(Phase.starting.rawValue)

    var phase: Phase { Phase(rawValue: self.value.load(ordering: .acquiring))! }
    var isDraining: Bool { self.value.load(ordering: .relaxed) >= Phase.draining.rawValue }

    /// False when the hub was there already.
    @discardableResult
    func advance(to phase: Phase) -> Bool {
        var old = self.value.load(ordering: .acquiring)
        while old < phase.rawValue {
            let (exchanged, original) = self.value.compareExchange(
                expected: old, desired: phase.rawValue, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            old = original
        }
        return false
    }
}
