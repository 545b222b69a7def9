import CommandLineOptions
import Glibc

/// The CPU time that each process has used up to one moment, in microseconds, in the order of the command line; the load
/// generator's own comes last.
struct CPUReading: Sendable {
    static let ownName = "ackhub-bench"

    let microseconds: [UInt64]

    init(_ trees: [ProcessTree]) throws(CommandError) {
        var microseconds: [UInt64] = []
        for tree in trees { microseconds.append(try tree.cpuMicroseconds()) }
        self.microseconds = microseconds + [Self.own]
    }

    /// What was used since an earlier reading of the same processes.
    func since(_ earlier: CPUReading) -> [UInt64] {
        // A tree shrinks when a child is handed to init: nothing is known then, and nothing is better than a huge number.
        zip(self.microseconds, earlier.microseconds).map { $0 > $1 ? $0 - $1 : 0 }
    }

    /// getrusage tells it by the microsecond.
    private static var own: UInt64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + UInt64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}
