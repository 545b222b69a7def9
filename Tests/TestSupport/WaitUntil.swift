import Glibc

/// Asks `condition` every few milliseconds until it is true; false when the deadline passed first.
///
/// The deadline is generous: suites run side by side on few cores, and only a failing test waits for it.
@discardableResult
package func waitUntil(deadline: Duration = .seconds(60), condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + deadline
    while true {
        if try condition() { return true }
        guard ContinuousClock.now < end else { return false }
        usleep(3_000)
    }
}

/// The same for async tests: the thread is free between two questions. A condition that awaits nothing says
/// `{ () async throws -> Bool in … }`, or the compiler takes the other function.
@discardableResult
package func waitUntil(
    deadline: Duration = .seconds(60), condition: @Sendable () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + deadline
    while true {
        if try await condition() { return true }
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(3))
    }
}
