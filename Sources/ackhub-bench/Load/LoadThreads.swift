import CLinux
import CommandLineOptions
import Glibc

/// Runs load loops, each on a thread of its own, and says when all have ended.
final class LoadThreads {
    private final class Body {
        let loop: LoadLoop
        let ended: Int32

        init(_ loop: LoadLoop, ended: Int32) {
            self.loop = loop
            self.ended = ended
        }
    }

    private var threads: [pthread_t] = []
    private var running: Int
    /// An eventfd that each thread adds 1 to when it ends.
    private let ended: Int32

    init(_ loops: [LoadLoop]) throws(CommandError) {
        self.running = loops.count
        self.ended = clinux_eventfd_create()
        guard self.ended >= 0 else { throw CommandError("no eventfd: \(String(cString: strerror(errno)))") }
        for loop in loops { try self.start(loop) }
    }

    deinit {
        self.join()
        close(self.ended)
    }

    private func start(_ loop: LoadLoop) throws(CommandError) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(loop, ended: self.ended))
        let code = pthread_create(
            &thread, nil,
            { argument in
                let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                clinux_name_thread("load")
                body.loop.run()
                var one: UInt64 = 1
                write(body.ended, &one, 8)
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw CommandError("no thread: \(String(cString: strerror(code)))")
        }
        self.threads.append(thread)
    }

    /// Returns when all have ended, at the latest at that monotonic time.
    func wait(until time: UInt64) {
        while self.running > 0 {
            let now = MonotonicClock.now()
            guard now < time else { return }
            var entry = pollfd(fd: self.ended, events: Int16(POLLIN), revents: 0)
            // Rounded up, so that the last millisecond does not spin.
            if poll(&entry, 1, Int32(clamping: (time - now) / 1_000_000 + 1)) > 0 {
                var count: UInt64 = 0
                if read(self.ended, &count, 8) == 8 { self.running -= Int(count) }
            }
        }
    }

    /// Waits for the end of all: the loops may be looked at then.
    func join() {
        for thread in self.threads { pthread_join(thread, nil) }
        self.threads = []
    }
}
