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
    ///
    /// - Throws: when a tree has less than it had: a child has left it for init, so nothing is known.
    func since(_ earlier: CPUReading) throws(CommandError) -> [UInt64] {
        guard zip(self.microseconds, earlier.microseconds).allSatisfy({ $0 >= $1 }) else {
            throw CommandError("the CPU time of a process fell: one of its children outlived its parent")
        }
        return zip(self.microseconds, earlier.microseconds).map { $0 - $1 }
    }

    /// getrusage tells it by the microsecond.
    private static var own: UInt64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + UInt64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}
