import Glibc

/// The standard `process_*` figures of this process, from getrusage and /proc/self. What can't be read is left out.
struct ProcessMetrics {
    var cpuSeconds: Double?
    var residentBytes: UInt64?
    var virtualBytes: UInt64?
    var openDescriptors: UInt64?
    var descriptorsMax: UInt64?
    /// UNIX seconds.
    var startTime: Double?

    init() {
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            self.cpuSeconds =
                Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            self.descriptorsMax = UInt64(limit.rlim_cur)
        }
        self.openDescriptors = Self.countDescriptors()
        self.readStat()
    }

    /// proc(5): the fields after the last `)`, since a command name may hold anything; they begin with field 3.
    private mutating func readStat() {
        guard let text = Self.readFile("/proc/self/stat"), let name = text.lastIndex(of: ")") else { return }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count >= 22 else { return }
        self.virtualBytes = UInt64(fields[20])
        self.residentBytes = UInt64(fields[21]).map { $0 * UInt64(sysconf(Int32(_SC_PAGESIZE))) }
        guard let ticks = Double(fields[19]) else { return }
        // Field 22 counts from boot. /proc/stat may be hidden from services (ProcSubset=pid), the boot clock is not.
        let sinceStart = Self.seconds(CLOCK_BOOTTIME) - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        self.startTime = Self.seconds(CLOCK_REALTIME) - sinceStart
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func countDescriptors() -> UInt64? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count: UInt64 = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder's own descriptor.
        return count >= 3 ? count - 3 : nil
    }

    private static func readFile(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    func write(to text: inout PrometheusText) {
        if let cpuSeconds {
            text.begin("process_cpu_seconds_total", .counter, "User and system CPU time in seconds.")
            text.sample(cpuSeconds)
        }
        if let residentBytes { text.gauge("process_resident_memory_bytes", "Resident memory in bytes.", residentBytes) }
        if let virtualBytes { text.gauge("process_virtual_memory_bytes", "Virtual memory in bytes.", virtualBytes) }
        if let openDescriptors { text.gauge("process_open_fds", "Open file descriptors.", openDescriptors) }
        if let descriptorsMax { text.gauge("process_max_fds", "The limit of open file descriptors.", descriptorsMax) }
        if let startTime {
            text.gauge("process_start_time_seconds", "Start of the process in UNIX seconds.", startTime)
        }
    }
}
