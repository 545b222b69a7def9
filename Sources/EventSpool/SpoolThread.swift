import CLinux
import Glibc

/// A thread of our own for blocking calls; `join` once.
struct SpoolThread: Sendable {
    private let handle: pthread_t

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// `name`: at most 15 bytes. Signals stay with the threads that want them: all are blocked here.
    init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var every = sigset_t()
        var before = sigset_t()
        sigfillset(&every)
        pthread_sigmask(SIG_SETMASK, &every, &before)
        var handle = pthread_t()
        let status = pthread_create(
            &handle, nil,
            { argument in
                let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                clinux_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        precondition(status == 0, "pthread_create: errno \(status)")
        self.handle = handle
    }

    func join() { pthread_join(self.handle, nil) }
}
