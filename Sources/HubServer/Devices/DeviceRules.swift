import HubLinks
import Synchronization

/// What decides about a hit and may change while the hub runs: an immutable snapshot that SIGHUP replaces.
struct DeviceRuleSet: Sendable {
    var keyRing: KeyRing
    /// A link counts for so long after its send time.
    var linkTTLNanoseconds: UInt64
    var trustedProxies: [CIDR]

    init(keyRing: KeyRing, configuration: HubConfiguration) {
        self.keyRing = keyRing
        self.linkTTLNanoseconds = UInt64(configuration.linkTTLDays) * 86_400_000_000_000
        self.trustedProxies = configuration.trustedProxies
    }
}

/// Hands the present rules to every loop. A hit costs one load of a counter that hardly ever changes; only the hit after
/// a change takes the lock.
final class DeviceRules: Sendable {
    private let versionCounter = Atomic<UInt64>(1)
    private let ruleSet: Mutex<DeviceRuleSet>

    init(_ ruleSet: DeviceRuleSet) { self.ruleSet = Mutex(ruleSet) }

    var version: UInt64 { self.versionCounter.load(ordering: .acquiring) }
    var present: (version: UInt64, ruleSet: DeviceRuleSet) {
        // The version is read first: a change in between is then seen again, never missed.
        let version = self.version
        return (version, self.ruleSet.withLock { $0 })
    }

    func replaceKeyRing(_ keyRing: KeyRing) {
        self.ruleSet.withLock { $0.keyRing = keyRing }
        self.versionCounter.wrappingAdd(1, ordering: .releasing)
    }
}
