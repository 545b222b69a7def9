package struct PostgresPoolMetrics: Sendable, Equatable {
    package var connectionsOpen = 0
    /// Waiting for a thread now.
    package var queued = 0
    package var runs: UInt64 = 0
    /// Runs that ended with an error, of the connection or of the body.
    package var failures: UInt64 = 0
    /// Refused at a full queue or after `close`.
    package var refused: UInt64 = 0
    package init() {}
}
