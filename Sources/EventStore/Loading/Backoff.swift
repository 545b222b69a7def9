/// Waits that double from 100 ms to 10 s, each shortened at random by up to half, so that hubs do not return in step.
struct Backoff {
    static let firstMilliseconds = 100
    static let lastMilliseconds = 10_000
    private var milliseconds = Self.firstMilliseconds
    /// Waits since the last success.
    private(set) var attempts = 0

    mutating func next() -> Int {
        self.attempts += 1
        defer { self.milliseconds = min(self.milliseconds * 2, Self.lastMilliseconds) }
        return Int.random(in: self.milliseconds / 2...self.milliseconds)
    }

    mutating func reset() { self = Backoff() }
}
