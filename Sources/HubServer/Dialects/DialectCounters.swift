import EventStore
import MessageIDs
import Synchronization

/// What the dialects did so far, for /metrics. Every label's values are a closed set.
struct DialectMetrics: Sendable {
    struct Hit: Hashable, Sendable {
        var dialect: EventDialect
        var kind: EventKind
        var eventClass: EventClass
    }
    struct Refusal: Hashable, Sendable {
        var dialect: EventDialect
        var reason: DialectRefusal.Reason
    }

    /// Events that are on disk.
    var hits: [Hit: UInt64] = [:]
    /// Requests that were refused.
    var refused: [Refusal: UInt64] = [:]
    /// Events that were ignored by contract: of unknown messages or kinds.
    var ignored: [EventDialect: UInt64] = [:]
    /// Keys of JSON Web Tokens: accounts asked for in PostgreSQL, not asked for because too many were, and used though
    /// PostgreSQL could not confirm them.
    var keyLookups: UInt64 = 0
    var keyLookupsRefused: UInt64 = 0
    var keysUsedStale: UInt64 = 0
}

/// The counters behind `DialectMetrics`: changed from any thread, a few times a request.
final class DialectCounters: Sendable {
    private let state = Mutex(DialectMetrics())

    var snapshot: DialectMetrics { self.state.withLock { $0 } }

    func update(_ change: (inout sending DialectMetrics) -> Void) {
        self.state.withLock { change(&$0) }
    }

    func countStored(_ hits: [DialectMetrics.Hit]) {
        self.state.withLock { state in
            for hit in hits { state.hits[hit, default: 0] += 1 }
        }
    }

    func countRefused(_ dialect: EventDialect, _ reason: DialectRefusal.Reason) {
        self.state.withLock { $0.refused[DialectMetrics.Refusal(dialect: dialect, reason: reason), default: 0] += 1 }
    }

    func countIgnored(_ dialect: EventDialect, _ count: Int) {
        guard count > 0 else { return }
        self.state.withLock { $0.ignored[dialect, default: 0] += UInt64(count) }
    }
}
