import CLinux
import Glibc

/// Threads for loops: named, and deaf to signals, which are the main thread's business.
enum LoopThread {
    private final class Body {
        let name: String
        let run: () -> Void

        init(name: String, run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    static func start(name: String, _ run: @escaping @Sendable () -> Void) -> pthread_t {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                LoopThread.blockSignals()
                clinux_name_thread(body.name)
                body.run()
                return nil
            }, body.toOpaque())
        guard result == 0 else { fatalError("no thread for \(name): errno \(result)") }
        return thread
    }

    /// All but those that a thread raises by its own fault. SIGPIPE among them: OpenSSL writes without MSG_NOSIGNAL.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
            sigdelset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
