import CommandLineOptions
import Glibc

/// A process with all its descendants, of which /proc tells the CPU time that they used.
///
/// A descendant that ends counts on with the one that reaped it (`cutime`, `cstime`), so PostgreSQL's backends are counted
/// by the postmaster's id. What is left out: a child that nobody reaps, or that outlives its parent and moves to init.
struct ProcessTree: Sendable, Equatable {
    let name: String
    let pid: pid_t

    /// How often a reading is begun anew because a process came or went while it lasted.
    private static let attemptsMax = 100
    private static let processesMax = 10_000

    /// User and system time of all since each began, in microseconds; the kernel tells whole clock ticks (10 ms).
    ///
    /// - Throws: when the process is gone, or /proc does not name children (CONFIG_PROC_CHILDREN).
    func cpuMicroseconds() throws(CommandError) -> UInt64 {
        for _ in 0..<Self.attemptsMax {
            // A child that ends between two reads would be counted twice or not at all: only a reading between two equal
            // lists counts. The sum of a child's own time and its parent's `cutime` is the same in every order then.
            guard let before = try self.processes(), let ticks = Self.ticks(of: before),
                let after = try self.processes(), before == after
            else { continue }
            return ticks * 1_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK)))
        }
        throw CommandError("process \(self.name): its children come and go too fast to be counted")
    }

    /// All pids, parents before children; nil when one ended meanwhile.
    private func processes() throws(CommandError) -> [pid_t]? {
        guard kill(self.pid, 0) == 0 || errno == EPERM else {
            throw CommandError("process \(self.name): there is no process \(self.pid)")
        }
        var found = [self.pid]
        var next = 0
        while next < found.count {
            guard found.count <= Self.processesMax else {
                throw CommandError("process \(self.name): too many children")
            }
            guard let threads = Self.threads(of: found[next]) else { return nil }
            for thread in threads {
                let path = "/proc/\(found[next])/task/\(thread)/children"
                guard let text = Self.read(path) else {
                    guard access("/proc/self/task/\(getpid())/children", R_OK) == 0 else {
                        throw CommandError("this kernel does not tell a process's children in /proc")
                    }
                    return nil
                }
                found += text.split(separator: " ").compactMap { pid_t($0) }
            }
            next += 1
        }
        return found
    }

    private static func threads(of pid: pid_t) -> [String]? {
        guard let folder = opendir("/proc/\(pid)/task") else { return nil }
        defer { closedir(folder) }
        var threads: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first?.isNumber == true { threads.append(name) }
        }
        return threads.sorted()
    }

    /// `utime`, `stime`, `cutime` and `cstime` of all; nil when one ended meanwhile.
    private static func ticks(of processes: [pid_t]) -> UInt64? {
        var sum: UInt64 = 0
        for pid in processes {
            guard let text = Self.read("/proc/\(pid)/stat"), let times = Self.times(inStat: text) else { return nil }
            sum += times
        }
        return sum
    }

    /// proc(5): fields 14 to 17. A command's name may hold anything, so they are counted from the last `)`, field 2.
    static func times(inStat text: String) -> UInt64? {
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count >= 15 else { return nil }
        var sum: UInt64 = 0
        for field in fields[11...14] {
            guard let ticks = UInt64(field) else { return nil }
            sum += ticks
        }
        return sum
    }

    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
