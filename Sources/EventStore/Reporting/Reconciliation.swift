package import MessageIDs
package import Postgres

/// Recounts raw events against the counters.
package enum Reconciliation {
    package struct Difference: Sendable, Equatable {
        package var launch: LaunchID
        /// e.g. `provider 1, class human, resource 5, channel push, acked`
        package var counter: String
        package var counted: Int64
        package var recounted: Int64
    }

    package struct Outcome: Sendable, Equatable {
        package var launches: Int64
        package var messages: Int64
        package var events: Int64
        /// At most `differencesMax`.
        package var differences: [Difference]
    }

    package static let differencesMax = 10_000

    /// One repeatable-read snapshot; all accounts when nil. Takes as long as reading all their events does: no time-out applies.
    package static func run(account: Int64?, on connection: PostgresConnection) throws -> Outcome {
        let account: PostgresValue = account.map { .int64($0) } ?? .null
        return try connection.withoutTimeouts { try self.run(account, on: connection) }
    }

    private static func run(_ account: PostgresValue, on connection: PostgresConnection) throws -> Outcome {
        try connection.transaction {
            try connection.execute("set transaction isolation level repeatable read, read only")
            let size = try connection.query(EmbeddedSQL.reconciliationSize, [account])
            let rows = try connection.query(
                EmbeddedSQL.reconciliationDifferences, [account, .int64(Int64(self.differencesMax))])
            return Outcome(
                launches: try size.int64(0, 0), messages: try size.int64(0, 1), events: try size.int64(0, 2),
                differences: try (0..<rows.count).map { try self.difference(rows, $0) })
        }
    }

    private static func difference(_ rows: PostgresRows, _ row: Int) throws -> Difference {
        let launchedAt = StoreTime(
            microseconds: try rows.timestamp(row, 2), nanos: Int16(truncatingIfNeeded: try rows.int64(row, 3)))
        guard let nanoseconds = launchedAt.nanoseconds else {
            throw StoreError(.inconsistent, "a launch time outside 64 bits")
        }
        return Difference(
            launch: LaunchID(
                account: try rows.int64(row, 0), campaign: try rows.int64(row, 1), launchedAt: nanoseconds),
            counter: try rows.text(row, 4), counted: try rows.int64(row, 5), recounted: try rows.int64(row, 6))
    }
}
