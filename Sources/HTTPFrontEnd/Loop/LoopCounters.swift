import Synchronization

/// A loop's counts: written by its thread alone, read by any. Relaxed and without a locked instruction: a reader may see
/// a number that is a moment old, never a torn one.
final class LoopCounters: Sendable {
    let connectionsOpen = Counter()
    let connectionsAccepted = Counter()
    let connectionsRefused = Counter()
    let requests = Counter()
    let bytesReceived = Counter()
    let bytesSent = Counter()
    let handshakeFailures = Counter()
    let outputPauses = Counter()
    let bodyPauses = Counter()
    /// By status, from 100 on.
    private let responses = CounterTable(count: 500)
    private let rejections = CounterTable(count: HTTPRejection.allCases.count)

    func countResponse(_ status: Int) { self.responses.add(status - 100) }
    func countRejection(_ reason: HTTPRejection) { self.rejections.add(Int(reason.rawValue)) }

    func add(to metrics: inout HTTPServerMetrics) {
        metrics.connectionsOpen += Int(self.connectionsOpen.value)
        metrics.connectionsAccepted += self.connectionsAccepted.value
        metrics.connectionsRefused += self.connectionsRefused.value
        metrics.requests += self.requests.value
        metrics.bytesReceived += self.bytesReceived.value
        metrics.bytesSent += self.bytesSent.value
        metrics.tlsHandshakeFailures += self.handshakeFailures.value
        metrics.pauses["output", default: 0] += self.outputPauses.value
        metrics.pauses["request_mailbox", default: 0] += self.bodyPauses.value
        for index in 0..<500 {
            let count = self.responses.value(index)
            if count > 0 { metrics.responses[index + 100, default: 0] += count }
        }
        for reason in HTTPRejection.allCases {
            metrics.rejections[reason.name, default: 0] += self.rejections.value(Int(reason.rawValue))
        }
    }
}

/// One count with one writer.
struct Counter: ~Copyable, Sendable {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { self.count.load(ordering: .relaxed) }

    @inline(__always)
    func add(_ amount: Int = 1) {
        self.count.store(self.count.load(ordering: .relaxed) &+ UInt64(amount), ordering: .relaxed)
    }

    func subtract(_ amount: Int = 1) {
        self.count.store(self.count.load(ordering: .relaxed) &- UInt64(amount), ordering: .relaxed)
    }
}

/// Many counts with one writer.
private final class CounterTable: @unchecked Sendable {
    // Allocated once, freed with the last reference; the counts themselves are atomic.
    private let counters: UnsafeMutableBufferPointer<Counter>

    init(count: Int) {
        self.counters = .allocate(capacity: count)
        for index in 0..<count { self.counters.initializeElement(at: index, to: Counter()) }
    }

    deinit {
        self.counters.deinitialize()
        self.counters.deallocate()
    }

    func add(_ index: Int) { self.counters[index].add() }
    func value(_ index: Int) -> UInt64 { self.counters[index].value }
}
