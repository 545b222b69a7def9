import Glibc
import Synchronization

/// Threads that all run one body, to be joined once.
final class PostgresPoolThreads: Sendable {
    private let threads: Mutex<[pthread_t]>

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    init(count: Int, _ run: @escaping @Sendable () -> Void) {
        let body = Body(run: run)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            // Each thread releases what it was given.
            let argument = Unmanaged.passRetained(body).toOpaque()
            let status = pthread_create(
                &thread, nil,
                { argument in
                    Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                    return nil
                }, argument)
            guard status == 0 else { fatalError("pthread_create: \(String(cString: strerror(status)))") }
            threads.append(thread)
        }
        self.threads = Mutex(threads)
    }

    deinit { for thread in self.threads.withLock({ $0 }) { pthread_detach(thread) } }

    /// Waits for their end.
    func join() {
        let threads = self.threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { pthread_join(thread, nil) }
    }
}
