import Foundation
package import Testing

/// Runs a suite's tests on threads of their own, a few at a time.
///
/// They wait for processes, sockets and disks, or compute for long, which would take the cooperative pool's few threads
/// away from the endpoints under test and from every other suite.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Enough to wait side by side, few enough for two cores.
    private static let slots = Slots(6)

    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Called for the suite and each function too: only a case does work.
        guard testCase != nil else { return try await function() }
        await Self.slots.take()
        defer { Task { await Self.slots.give() } }
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    package static var blocking: Self { Self() }
}

/// A thread for each piece of work.
package final class ThreadExecutor: TaskExecutor {
    package static let shared = ThreadExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Counts who may go on.
private actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { self.free = count }

    func take() async {
        if self.free > 0 {
            self.free -= 1
        } else {
            await withCheckedContinuation { self.waiting.append($0) }
        }
    }

    func give() {
        if self.waiting.isEmpty { self.free += 1 } else { self.waiting.removeFirst().resume() }
    }
}
