import Glibc

/// A flag that is set once and wakes who waits for it.
///
/// Sendable because `raised` is only touched under `mutex`; both pthread objects live at a fixed address until deinit.
package final class StopSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var raised = false

    package init() {
        var attributes = pthread_condattr_t()
        // The monotonic clock: a stepped wall clock must not stretch a wait.
        guard pthread_condattr_init(&attributes) == 0, pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0,
            pthread_mutex_init(self.mutex, nil) == 0, pthread_cond_init(self.condition, &attributes) == 0
        else { fatalError("pthread objects can't be made") }
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(self.condition)
        pthread_mutex_destroy(self.mutex)
        self.condition.deallocate()
        self.mutex.deallocate()
    }

    package var isRaised: Bool {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return self.raised
    }

    package func raise() {
        pthread_mutex_lock(self.mutex)
        self.raised = true
        pthread_cond_broadcast(self.condition)
        pthread_mutex_unlock(self.mutex)
    }

    /// Waits until it is raised, at most so long; whether it is.
    @discardableResult
    package func wait(milliseconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += milliseconds / 1000
        deadline.tv_nsec += milliseconds % 1000 * 1_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        while !self.raised {
            if pthread_cond_timedwait(self.condition, self.mutex, &deadline) == ETIMEDOUT { break }
        }
        return self.raised
    }
}
