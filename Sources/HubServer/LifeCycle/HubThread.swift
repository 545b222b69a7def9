import Glibc
import Synchronization

/// A thread of its own for work that blocks: nothing that waits belongs on the cooperative pool.
final class HubThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        let isFinished = Atomic<Bool>(false)
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    private let body: Body

    /// Throws when the system has no thread to give.
    init(_ run: @escaping @Sendable () -> Void) throws(HubError) {
        self.body = Body(run)
        var id = pthread_t()
        let argument = Unmanaged.passRetained(self.body)
        let code = pthread_create(
            &id, nil,
            { argument in
                let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                body.run()
                body.isFinished.store(true, ordering: .releasing)
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw HubError(code: .thread, detail: "can't start a thread: \(String(cString: strerror(code)))")
        }
        // Whoever waits for the end does so with a limit, which pthread_join has not.
        pthread_detach(id)
    }

    /// Waits for the body's end, at most so long; whether it came. Blocks.
    @discardableResult
    func wait(seconds: Double) -> Bool {
        let deadline = Deadline(seconds: seconds)
        while !self.body.isFinished.load(ordering: .acquiring) {
            if deadline.isOver { return false }
            usleep(2_000)
        }
        return true
    }
}

/// A point on the monotonic clock.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant
    init(seconds: Double) { self.end = ContinuousClock.now + .seconds(seconds) }
    var isOver: Bool { ContinuousClock.now >= self.end }
    var secondsLeft: Double {
        let left = ContinuousClock.now.duration(to: self.end)
        return max(0, Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18)
    }
}
