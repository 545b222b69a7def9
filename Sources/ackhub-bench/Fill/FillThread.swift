import CLinux
import CommandLineOptions
import Glibc
import Synchronization

/// A thread whose CPU time can be read at any time, after its end too.
final class FillThread: Sendable {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        /// Nanoseconds; 0 until it has ended.
        let cpuAtEnd = Atomic<UInt64>(0)

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let body: Body
    private let handle: pthread_t

    /// `name`: at most 15 bytes.
    init(_ name: String, _ run: @escaping @Sendable () -> Void) throws(CommandError) {
        let body = Body(name: name, run: run)
        let argument = Unmanaged.passRetained(body)
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { argument in
                let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                clinux_name_thread(body.name)
                body.run()
                body.cpuAtEnd.store(max(FillThread.read(CLOCK_THREAD_CPUTIME_ID) ?? 0, 1), ordering: .releasing)
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw CommandError("no thread: \(String(cString: strerror(code)))")
        }
        self.body = body
        self.handle = handle
    }

    var hasEnded: Bool { self.body.cpuAtEnd.load(ordering: .acquiring) != 0 }

    /// Nanoseconds of user and system time since it began.
    var cpuNanoseconds: UInt64 {
        while true {
            // It tells its time itself before it ends: a clock that is gone was told, or will be in a moment.
            let atEnd = self.body.cpuAtEnd.load(ordering: .acquiring)
            if atEnd != 0 { return atEnd }
            var clock = clockid_t()
            if pthread_getcpuclockid(self.handle, &clock) == 0, let time = Self.read(clock) { return time }
            sched_yield()
        }
    }

    /// Waits for its end; to be called once.
    func join() { pthread_join(self.handle, nil) }

    private static func read(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
