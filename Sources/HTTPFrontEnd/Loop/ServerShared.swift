import Synchronization

/// What a server's loops share: the count of connections, the certificate, and what the server wants of them.
final class ServerShared: Sendable {
    private let connections = Atomic<Int>(0)
    private let draining = Atomic<Bool>(false)
    /// Of the monotonic clock, in milliseconds; 0 = not stopping.
    private let stopAt = Atomic<UInt64>(0)
    private let tls: Mutex<TLSContext?>
    private let usesTLS: Bool
    // Counted by tasks, not by loops.
    private let bodiesTooLarge = Atomic<UInt64>(0)
    private let responsePauses = Atomic<UInt64>(0)

    init(tls: TLSContext?) {
        self.tls = Mutex(tls)
        self.usesTLS = tls != nil
    }

    /// The number with the new one.
    func addConnection() -> Int { self.connections.add(1, ordering: .relaxed).newValue }
    func removeConnection() { self.connections.subtract(1, ordering: .relaxed) }

    var tlsContext: TLSContext? { self.usesTLS ? self.tls.withLock { $0 } : nil }

    func replaceTLS(_ context: TLSContext) { self.tls.withLock { $0 = context } }

    func countBodyTooLarge() { self.bodiesTooLarge.add(1, ordering: .relaxed) }
    func countResponsePause() { self.responsePauses.add(1, ordering: .relaxed) }

    func add(to metrics: inout HTTPServerMetrics) {
        metrics.rejections[HTTPRejection.body.name, default: 0] += self.bodiesTooLarge.load(ordering: .relaxed)
        metrics.pauses["response_mailbox", default: 0] += self.responsePauses.load(ordering: .relaxed)
    }

    var isDraining: Bool { self.draining.load(ordering: .acquiring) }
    var stopDeadline: UInt64? {
        let deadline = self.stopAt.load(ordering: .acquiring)
        return deadline == 0 ? nil : deadline
    }

    func drain() { self.draining.store(true, ordering: .releasing) }

    func stop(at deadline: UInt64) {
        self.stopAt.store(deadline, ordering: .releasing)
        self.drain()
    }
}
