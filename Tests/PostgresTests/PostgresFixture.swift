import Postgres
import TestSupport

/// A database of the test's own with one connection to it, in this order: the connection goes first.
final class PostgresFixture {
    let database: TestDatabase
    let connection: PostgresConnection

    init(_ server: TestPostgres = .shared, _ change: (inout PostgresConfiguration) -> Void = { _ in }) throws {
        self.database = try server.makeDatabase()
        var configuration = PostgresConfiguration(connection: self.database.url)
        change(&configuration)
        self.connection = try PostgresConnection(configuration)
    }

    /// Another connection to the same database.
    func connect(_ change: (inout PostgresConfiguration) -> Void = { _ in }) throws -> PostgresConnection {
        var configuration = PostgresConfiguration(connection: self.database.url)
        change(&configuration)
        return try PostgresConnection(configuration)
    }

    func count(_ table: String) throws -> Int64 {
        try self.connection.query("SELECT count(*) FROM \(table)").int64(0, 0)
    }
}
