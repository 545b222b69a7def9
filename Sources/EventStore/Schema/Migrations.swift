package import Postgres

/// Numbered SQL files applied in order, one transaction each, under an advisory lock.
package enum Migrations {
    package struct Applied: Sendable, Equatable {
        package var number: Int
        package var name: String
    }

    /// Returns what was applied now. A changed checksum of an applied file is an error (`StoreError.Code.changedMigration`),
    /// and nothing is applied then. Several hubs may do this at once: they take turns, and each finds what the others did.
    /// A long migration is no stuck query: no time-out applies.
    package static func apply(on connection: PostgresConnection) throws -> [Applied] {
        try connection.withoutTimeouts { try self.apply(EmbeddedSQL.migrations, on: connection) }
    }

    /// What is missing, without applying (`ackhub migrate --check`, and serve at start). A changed checksum is an error.
    package static func pending(on connection: PostgresConnection) throws -> [Applied] {
        guard try connection.query(EmbeddedSQL.schemaMigrationExists).bool(0, 0) else {
            return EmbeddedSQL.migrations.map { Applied(number: $0.number, name: $0.name) }
        }
        return try self.missing(of: EmbeddedSQL.migrations, on: connection)
            .map { Applied(number: $0.number, name: $0.name) }
    }

    static func apply(_ migrations: [Migration], on connection: PostgresConnection) throws -> [Applied] {
        var applied: [Applied] = []
        while let next = try self.applyNext(of: migrations, on: connection) { applied.append(next) }
        return applied
    }

    /// The lock is the transaction's: it can't be left behind, and it works through a pooler.
    private static func applyNext(of migrations: [Migration], on connection: PostgresConnection) throws -> Applied? {
        try connection.transaction {
            try connection.execute(EmbeddedSQL.schemaMigrationLock)
            if try !connection.query(EmbeddedSQL.schemaMigrationExists).bool(0, 0) {
                try connection.execute(EmbeddedSQL.schemaMigrationCreate)
            }
            guard let next = try self.missing(of: migrations, on: connection).first else { return nil }
            try connection.execute(next.sql)
            try connection.query(
                EmbeddedSQL.schemaMigrationRecord, [.int64(Int64(next.number)), .text(next.name), .text(next.sql)])
            return Applied(number: next.number, name: next.name)
        }
    }

    private static func missing(of migrations: [Migration], on connection: PostgresConnection) throws -> [Migration] {
        let rows = try connection.query(
            EmbeddedSQL.schemaMigrationCompare,
            [.int64Array(migrations.map { Int64($0.number) }), .textArray(migrations.map(\.sql))])
        var applied: Set<Int> = []
        for row in 0..<rows.count {
            let number = Int(try rows.int64(row, 0))
            guard try rows.bool(row, 1) else {
                throw StoreError(
                    .changedMigration,
                    "migration \(number) was applied with another text: an applied file never changes")
            }
            applied.insert(number)
        }
        return migrations.filter { !applied.contains($0.number) }
    }
}
