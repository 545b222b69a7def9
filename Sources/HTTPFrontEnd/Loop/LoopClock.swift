import Glibc

/// The loop's time: read once a turn, and the Date field's text, made once a second.
struct LoopClock {
    /// Milliseconds of the monotonic clock at this turn.
    private(set) var now: UInt64 = 0
    /// 29 bytes: `HTTPDate`.
    let date: UnsafeMutableRawBufferPointer
    private var dateExpires: UInt64 = 0

    init() {
        self.date = .allocate(byteCount: HTTPDate.byteCount, alignment: 1)
        self.update()
    }

    mutating func update() {
        self.now = Self.monotonicMilliseconds()
        if self.now >= self.dateExpires { self.updateDate() }
    }

    func release() { self.date.deallocate() }

    static func monotonicMilliseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000 &+ UInt64(time.tv_nsec) / 1_000_000
    }

    private mutating func updateDate() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        HTTPDate.write(seconds: max(0, time.tv_sec), to: self.date)
        self.dateExpires = self.now + UInt64(1_000 - time.tv_nsec / 1_000_000)
    }
}
