import Glibc

/// A value behind a pthread mutex. (`Synchronization.Mutex` of Swift 6.3.1 goes to the kernel under contention, and has
/// no condition variable.) Keep the sections tiny; a body never calls out.
final class Monitor<State>: @unchecked Sendable {
    // `state` is only touched with `mutex` held.
    private let state: UnsafeMutablePointer<State>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ state: State) {
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        self.mutex = .allocate(capacity: 1)
        self.mutex.initialize(to: pthread_mutex_t())
        precondition(pthread_mutex_init(self.mutex, nil) == 0)
    }

    deinit {
        pthread_mutex_destroy(self.mutex)
        self.mutex.deallocate()
        self.state.deinitialize(count: 1)
        self.state.deallocate()
    }

    @inline(__always)
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return body(&self.state.pointee)
    }

    /// Waits until `ready`, or until `deadline` (`MonotonicClock` nanoseconds; nil: for ever), then runs `body` under the
    /// same lock. `ready` runs once or more; each time is an access to the state of its own, because other threads change
    /// it between two of them.
    func withLock<Result>(
        waitingOn condition: Condition, until deadline: UInt64? = nil, for ready: (inout State) -> Bool,
        _ body: (inout State) -> Result
    ) -> Result {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        while !ready(&self.state.pointee) {
            guard condition.wait(self.mutex, until: deadline) else { break }
        }
        return body(&self.state.pointee)
    }
}

/// A condition variable on the monotonic clock.
final class Condition: @unchecked Sendable {
    // A pthread condition variable is made to be shared.
    private let variable: UnsafeMutablePointer<pthread_cond_t>

    init() {
        self.variable = .allocate(capacity: 1)
        self.variable.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        precondition(pthread_condattr_init(&attributes) == 0)
        precondition(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0)
        precondition(pthread_cond_init(self.variable, &attributes) == 0)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(self.variable)
        self.variable.deallocate()
    }

    func signal() { pthread_cond_signal(self.variable) }
    func broadcast() { pthread_cond_broadcast(self.variable) }

    /// False when the deadline has passed.
    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: UInt64?) -> Bool {
        guard let deadline else {
            pthread_cond_wait(self.variable, mutex)
            return true
        }
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        return pthread_cond_timedwait(self.variable, mutex, &time) != ETIMEDOUT
    }
}

enum MonotonicClock {
    /// Nanoseconds since some moment before the process started.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static func milliseconds(_ count: Int) -> UInt64 { UInt64(max(0, count)) * 1_000_000 }
}
