import EventSpool
import HTTPFrontEnd
import HubLinks
import Synchronization

/// The device endpoints of a hub (design section 5): what its loops share, and the sum of their counters.
final class DevicePath: Sendable {
    let rules: DeviceRules
    let spool: Spool
    let router: APIRouter
    let log: Log
    let state: HubState
    /// UNIX nanoseconds.
    let now: @Sendable () -> UInt64

    struct LoopEntry: Sendable {
        var loop: HTTPLoop
        var counters: DeviceCounters
    }
    private let entries = Mutex<[LoopEntry]>([])

    init(services: HubServices, router: APIRouter, state: HubState) {
        self.rules = DeviceRules(DeviceRuleSet(keyRing: services.keyRing, configuration: services.configuration))
        self.spool = services.spool
        self.router = router
        self.log = services.log
        self.state = state
        self.now = services.now
    }

    /// Called on the loop's thread.
    func makeHandler(_ loop: HTTPLoop) -> DeviceHandler {
        let counters = DeviceCounters()
        self.entries.withLock { $0.append(LoopEntry(loop: loop, counters: counters)) }
        return DeviceHandler(self, loop, counters)
    }

    var loops: [LoopEntry] { self.entries.withLock { $0 } }

    var metrics: DeviceMetrics {
        var sum = DeviceMetrics()
        for entry in self.loops { entry.counters.add(to: &sum) }
        return sum
    }
}
