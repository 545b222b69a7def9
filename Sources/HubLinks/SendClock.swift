public import MessageIDs
import Synchronization

/// Gives every message of a hub a nanosecond of its own (design section 4). Thread-safe.
///
/// ``next()`` and ``reserve(_:)`` are lock-free. What is promised holds for one clock: a hub has one for its life, and
/// two hubs or two lives of a hub are told apart by real time passing, not by this clock.
public final class SendClock: Sendable {
    private let now: @Sendable () -> UInt64
    /// The last nanosecond given out.
    private let last = Atomic<UInt64>(0)
    private let moved = Mutex(ClaimedTimes())

    /// `now` returns UNIX nanoseconds; it may stand still or go back.
    public init(now: @escaping @Sendable () -> UInt64) { self.now = now }

    /// One free nanosecond, near now, greater than any given before.
    public func next() -> UInt64 { self.reserve(1) }

    /// `count` free consecutive nanoseconds; the first. `count` is at least 1.
    public func reserve(_ count: UInt64) -> UInt64 {
        precondition(count >= 1, "nothing to reserve")
        var last = self.last.load(ordering: .relaxed)
        while true {
            let first = max(self.now(), last + 1)
            let (exchanged, original) = self.last.weakCompareExchange(
                expected: last, desired: first + (count - 1), ordering: .relaxed)
            if exchanged { return first }
            last = original
        }
    }

    /// `given`, or the next free nanosecond after it, for messages that only the time tells apart (privacy 3).
    ///
    /// Never returns a nanosecond that it returned before. Memory is bounded (1024 ranges of times), and what is given up
    /// for that is nearness, not uniqueness: beyond some hundred separate clusters of times, those that lie close
    /// together count as one, and a time between them is moved behind them. At the end of 64 bits a time is moved back.
    ///
    /// Pass every anonymous message's time through it, also one from ``next()``, or use
    /// ``sendTime(given:privacy:)``, which does.
    public func moveToFree(_ given: UInt64) -> UInt64 { self.moved.withLock { $0.claim(given) } }

    /// The send time for a message: the sender's if there is one, else a nanosecond of its own; always one of its own
    /// when the message is anonymous.
    public func sendTime(given: UInt64?, privacy: Privacy) -> UInt64 {
        let time = given ?? self.next()
        return privacy == .anonymous ? self.moveToFree(time) : time
    }
}
