import Glibc
import TestSupport

/// Runs a test's blocking client on a thread of its own: endpoints need the cooperative pool's few threads. It stays in the
/// test's task, so what it expects is reported with the test's name.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(ThreadExecutor.shared) { try await runHere(body) }
}

@concurrent
private func runHere<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value { try body() }

/// Waits for a condition with a deadline; false when it never came true.
func eventually(withinSeconds seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !condition() {
        if monotonicSeconds() > end { return false }
        usleep(1_000)
    }
    return true
}

func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
