/// When an open loop means to send: request after request at one rate, whatever the server does.
///
/// A latency that counts from here also holds the time that a request waited for a free connection. That is what keeps a
/// stall from hiding the requests that it held up (coordinated omission).
struct SendSchedule: Sendable {
    /// Monotonic nanoseconds of the first request of all threads.
    let start: UInt64
    /// Of all threads together, at least 1.
    let requestsPerSecond: UInt64
    /// The threads take turns: this one has every `threadCount`-th request, from `thread` on.
    let thread: UInt64
    let threadCount: UInt64

    /// When this thread's request of that number (from 0) is meant to be sent.
    func time(of request: UInt64) -> UInt64 {
        let number = request * self.threadCount + self.thread
        let (seconds, rest) = number.quotientAndRemainder(dividingBy: self.requestsPerSecond)
        return self.start + seconds * 1_000_000_000 + rest * 1_000_000_000 / self.requestsPerSecond
    }
}
