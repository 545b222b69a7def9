/// Asks `condition` every few milliseconds until it holds; false when the deadline passed first. The thread is free between
/// two questions.
func eventually(
    within limit: Duration = .seconds(20), _ condition: @Sendable () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(3))
    }
    return true
}
