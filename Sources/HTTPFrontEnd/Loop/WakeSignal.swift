import CLinux
import Glibc
import Synchronization

/// Wakes a loop from any thread, and costs a system call only when the loop sleeps.
///
/// One word holds who called and whether the loop sleeps, so there is no gap between "nothing pending" and "asleep":
/// a caller that finds the sleeping bit writes to the eventfd, a sleeper that finds a call does not go to sleep.
final class WakeSignal: Sendable {
    struct Calls: OptionSet {
        var rawValue: UInt8
        /// `HTTPLoop.wake`.
        static let handler = Calls(rawValue: 1)
        /// Endpoints or the server left something in the inbox.
        static let inbox = Calls(rawValue: 2)
        fileprivate static let sleeping = Calls(rawValue: 128)
    }

    let descriptor: Int32
    private let word = Atomic<UInt8>(0)

    /// nil when the process has no descriptor left.
    init?() {
        self.descriptor = clinux_eventfd_create()
        if self.descriptor < 0 { return nil }
    }

    deinit { close(self.descriptor) }

    func call(_ calls: Calls) {
        // A pending call makes this one part of it: no write to the shared line.
        if self.word.load(ordering: .sequentiallyConsistent) & calls.rawValue != 0 { return }
        let before = self.word.bitwiseOr(calls.rawValue, ordering: .sequentiallyConsistent).oldValue
        guard before == Calls.sleeping.rawValue else { return }
        var one: UInt64 = 1
        // Registered edge-triggered, each write wakes; the counter is never read and can't overflow in 2^64 writes.
        _ = write(self.descriptor, &one, 8)
    }

    /// Before sleeping; false when somebody called already.
    func prepareToSleep() -> Bool {
        self.word.bitwiseOr(Calls.sleeping.rawValue, ordering: .sequentiallyConsistent).oldValue == 0
    }

    /// After it: who called since.
    func takeCalls() -> Calls {
        Calls(rawValue: self.word.exchange(0, ordering: .sequentiallyConsistent)).subtracting(.sleeping)
    }
}
