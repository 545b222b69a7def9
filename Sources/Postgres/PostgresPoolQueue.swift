import Glibc

/// Work for the pool's threads, with a limit, and the pool's counters.
///
/// Sendable: `state` is only touched between `lock` and `unlock` of `mutex`, whose address is fixed by its allocation.
final class PostgresPoolQueue: @unchecked Sendable {
    /// Does one run. `deliver` gives its result to the caller, once it is counted.
    typealias Job = @Sendable (inout PostgresPoolWorker) -> (isFailure: Bool, deliver: @Sendable () -> Void)

    private struct State {
        /// A ring would save the copies of `removeFirst`; the queue is short and a run costs a round trip.
        var jobs: [Job] = []
        var isClosed = false
        var metrics = PostgresPoolMetrics()
    }

    private let waitingMax: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state = State()

    init(waitingMax: Int) {
        self.waitingMax = waitingMax
        pthread_mutex_init(self.mutex, nil)
        pthread_cond_init(self.changed, nil)
    }

    deinit {
        pthread_cond_destroy(self.changed)
        pthread_mutex_destroy(self.mutex)
        self.changed.deallocate()
        self.mutex.deallocate()
    }

    /// False when the queue is full or closed.
    func add(_ job: @escaping Job) -> Bool {
        self.locked { state in
            guard !state.isClosed, state.jobs.count < self.waitingMax else {
                state.metrics.refused += 1
                return false
            }
            state.jobs.append(job)
            pthread_cond_signal(self.changed)
            return true
        }
    }

    /// Waits for a job; nil once the queue is closed and empty.
    func take() -> Job? {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        // Each access to `state` ends before the wait. Held over it, as `locked` would, an exclusive access lets the
        // optimiser take it that nobody adds a job meanwhile, and the loop never ends.
        while self.state.jobs.isEmpty && !self.state.isClosed { pthread_cond_wait(self.changed, self.mutex) }
        guard !self.state.jobs.isEmpty else { return nil }
        return self.state.jobs.removeFirst()
    }

    /// Counts a run, and connections opened (1) or closed (-1) by it.
    func finish(isFailure: Bool, connectionsOpened: Int) {
        self.locked { state in
            state.metrics.runs += 1
            if isFailure { state.metrics.failures += 1 }
            state.metrics.connectionsOpen += connectionsOpened
        }
    }

    func finishThread(connectionsOpened: Int) {
        self.locked { $0.metrics.connectionsOpen += connectionsOpened }
    }

    func close() {
        self.locked { state in
            state.isClosed = true
            pthread_cond_broadcast(self.changed)
        }
    }

    var metrics: PostgresPoolMetrics {
        self.locked { state in
            var metrics = state.metrics
            metrics.queued = state.jobs.count
            return metrics
        }
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return body(&self.state)
    }
}
