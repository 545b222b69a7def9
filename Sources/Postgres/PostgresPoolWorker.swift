import Synchronization

/// One pool thread's connection.
struct PostgresPoolWorker {
    private let configuration: PostgresConfiguration
    private let health: PostgresPoolHealth
    private var open: PostgresConnection?
    private var change = 0

    init(_ configuration: PostgresConfiguration, _ health: PostgresPoolHealth) {
        self.configuration = configuration
        self.health = health
    }

    /// A connection that was good a moment ago: the one at hand, or a new one.
    mutating func connection() throws(PostgresError) -> PostgresConnection {
        if let open = self.open {
            if open.checkIdle() { return open }
            self.disconnect()
        }
        if let failure = self.health.recentFailure { throw failure }
        do {
            let connection = try PostgresConnection(self.configuration)
            self.open = connection
            self.change += 1
            return connection
        } catch {
            self.health.note(error)
            throw error
        }
    }

    /// Drops a connection that a run has broken or left inside a transaction.
    mutating func finishRun() {
        if let open = self.open, !open.isIdle { self.disconnect() }
    }

    mutating func disconnect() {
        guard self.open != nil else { return }
        self.open = nil
        self.change -= 1
    }

    /// Connections opened less closed since the last call.
    mutating func takeChange() -> Int {
        defer { self.change = 0 }
        return self.change
    }
}

/// What the threads of one pool know of the server: while it is away, one try a second is enough.
final class PostgresPoolHealth: Sendable {
    private static let failureLife: Duration = .seconds(1)
    private let failure = Mutex<(error: PostgresError, at: ContinuousClock.Instant)?>(nil)

    var recentFailure: PostgresError? {
        self.failure.withLock { failure in
            guard let known = failure, known.at.duration(to: .now) < Self.failureLife else { return nil }
            return known.error
        }
    }

    func note(_ error: PostgresError) { self.failure.withLock { $0 = (error, .now) } }
}
