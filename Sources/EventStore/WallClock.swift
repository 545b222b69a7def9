import Glibc

/// The system's clocks.
package enum WallClock {
    /// UNIX nanoseconds.
    package static func now() -> UInt64 { self.read(CLOCK_REALTIME) }

    /// Nanoseconds of a clock that is never stepped.
    static func monotonic() -> UInt64 { self.read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
