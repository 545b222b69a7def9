package import EventSpool
package import HubLinks
package import Postgres
import Synchronization

/// What the ordinary endpoints share. The key ring may be replaced while the hub runs (SIGHUP).
package final class HubServices: Sendable {
    package let configuration: HubConfiguration
    package let spool: Spool
    package let pool: PostgresPool
    package let sendClock: SendClock
    package let log: Log
    /// UNIX nanoseconds; passed in, so that tests can set it.
    package let now: @Sendable () -> UInt64
    private let ring: Mutex<KeyRing>

    package init(
        configuration: HubConfiguration, spool: Spool, pool: PostgresPool, sendClock: SendClock, log: Log,
        now: @escaping @Sendable () -> UInt64, keyRing: KeyRing
    ) {
        self.configuration = configuration
        self.spool = spool
        self.pool = pool
        self.sendClock = sendClock
        self.log = log
        self.now = now
        self.ring = Mutex(keyRing)
    }

    package var keyRing: KeyRing { self.ring.withLock { $0 } }
    package func replaceKeyRing(_ ring: KeyRing) { self.ring.withLock { $0 = ring } }
}
