import Glibc

/// The system's clocks, in nanoseconds.
enum WallClock {
    /// Since the UNIX epoch.
    @Sendable static func now() -> UInt64 { self.read(CLOCK_REALTIME) }

    /// Since some moment; never goes back.
    static func monotonic() -> UInt64 { self.read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
