import Glibc
import Synchronization

extension Hub {
    /// SIGTERM, SIGINT and SIGHUP are blocked, so that every thread started later inherits it and only
    /// `runUntilSignalled` sees them; SIGPIPE is ignored; the limit of open files is raised.
    static func prepareProcess() {
        signal(SIGPIPE, SIG_IGN)
        var signals = Self.handledSignals()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }

    /// Blocks until SIGTERM or SIGINT, then drains; the exit status: 0 even when something stays in the spool for the next
    /// start, 1 when a second signal cuts the drain short. SIGHUP reloads keys and certificate.
    package func runUntilSignalled() -> Int32 {
        var signals = Self.handledSignals()
        let isDrained = DrainFlag()
        var isDraining = false
        while !isDrained.isSet {
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            let signal = isDraining ? sigtimedwait(&signals, nil, &pause) : sigwaitinfo(&signals, nil)
            switch signal {
            case SIGHUP where !isDraining: self.reload()
            case SIGTERM where isDraining, SIGINT where isDraining:
                self.log.write(.warning, "told to stop twice: leaving at once; the rest stays in the spool")
                return 1
            case SIGTERM, SIGINT:
                isDraining = true
                do {
                    _ = try HubThread {
                        self.drain()
                        isDrained.set()
                    }
                } catch {
                    self.drain()
                    isDrained.set()
                }
            default: break
            }
        }
        return 0
    }

    private static func handledSignals() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }
}

private final class DrainFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isSet: Bool { self.flag.load(ordering: .acquiring) }
    func set() { self.flag.store(true, ordering: .releasing) }
}
