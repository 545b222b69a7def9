import Glibc

/// How much processor time work takes as its input grows. Relative, so that a slow or a busy machine changes nothing.
enum ProcessorTime {
    /// How many times as long `work` takes with the large input as with the small one: the least of several runs of each.
    static func growth<Input>(from small: Input, to large: Input, of work: (Input) -> Void) -> Double {
        func least(_ input: Input) -> Int {
            var least = Int.max
            for _ in 0..<Self.runs {
                let start = Self.nanoseconds
                work(input)
                least = min(least, Self.nanoseconds - start)
            }
            return max(least, 1)
        }
        return Double(least(large)) / Double(least(small))
    }

    private static let runs = 5

    /// Of this thread.
    private static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
