import Foundation
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// The schema's way into the database.
@Suite(.blocking)
struct MigrationTests {
    /// A fresh database gets all, in order; a second time nothing.
    @Test func appliesAllInOrderAndOnce() throws {
        let store = try Store(migrated: false)
        let all = EmbeddedSQL.migrations.map { Migrations.Applied(number: $0.number, name: $0.name) }
        #expect(all.map(\.number) == Array(1...all.count))
        #expect(try Migrations.pending(on: store.connection) == all)
        #expect(try Migrations.apply(on: store.connection) == all)
        #expect(try Migrations.pending(on: store.connection) == [])
        #expect(try Migrations.apply(on: store.connection) == [])
    }

    /// A file that changed after it was applied stops everything, the new files too.
    @Test func changedFileIsRefused() throws {
        let store = try Store(migrated: false)
        let first = Migration(number: 1, name: "first", sql: "create table ackhub.a (b int)")
        _ = try Migrations.apply([first], on: store.connection)
        var changed = first
        changed.sql += " "
        let second = Migration(number: 2, name: "second", sql: "create table ackhub.c (d int)")
        #expect { try Migrations.apply([changed, second], on: store.connection) } throws: {
            ($0 as? StoreError)?.code == .changedMigration
        }
        #expect(try store.integer("select count(*) from pg_class where relname = 'c' and relkind = 'r'") == 0)
        #expect(try Migrations.apply([first, second], on: store.connection).map(\.number) == [2])
    }

    /// A migration that fails leaves nothing of itself, and those before it stay.
    @Test func failedMigrationLeavesNothing() throws {
        let store = try Store(migrated: false)
        let migrations = [
            Migration(number: 1, name: "good", sql: "create table ackhub.a (b int)"),
            Migration(number: 2, name: "bad", sql: "create table ackhub.c (d int); select 1 / 0"),
        ]
        #expect(throws: PostgresError.self) { try Migrations.apply(migrations, on: store.connection) }
        #expect(try store.integer("select count(*) from ackhub.schema_migration") == 1)
        #expect(try store.integer("select count(*) from pg_class where relname = 'c' and relkind = 'r'") == 0)
    }

    /// Several hubs that start at once: each migration is applied by one of them.
    @Test func migratorsAtOnceShareTheWork() throws {
        let store = try Store(migrated: false)
        let database = store.database
        let applied = Collected<Int>()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
                applied.append(try Migrations.apply(on: connection).map(\.number))
            } catch {
                Issue.record(error)
            }
        }
        #expect(applied.all.sorted() == EmbeddedSQL.migrations.map(\.number))
    }

    /// The binary's SQL is that of sql/: run deploy/embed-sql.sh after a change there.
    @Test func embeddedSQLIsThatOfTheFiles() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let folder = TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [root + "/deploy/embed-sql.sh", folder.file("EmbeddedSQL.swift")]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let fresh = try String(contentsOfFile: folder.file("EmbeddedSQL.swift"), encoding: .utf8)
        let present = try String(contentsOfFile: root + "/Sources/EventStore/Schema/EmbeddedSQL.swift", encoding: .utf8)
        #expect(fresh == present)
    }

    /// Every table, view, column and function says what it is.
    @Test func everyObjectHasAComment() throws {
        let store = try Store()
        let bare = try store.texts(
            """
            select c.relname::text || coalesce('.' || a.attname, '')
            from pg_class c
            left join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
            where c.relnamespace = 'ackhub'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
                and coalesce(col_description(c.oid, a.attnum), obj_description(c.oid)) is null
            union all
            select c.relname::text from pg_class c where c.relnamespace = 'ackhub'::regnamespace
                and c.relkind in ('r', 'p', 'v') and not c.relispartition and obj_description(c.oid) is null
            union all
            select p.proname::text from pg_proc p
            where p.pronamespace = 'ackhub'::regnamespace and obj_description(p.oid) is null
            """)
        #expect(bare == [])
    }

    /// Every table's key holds the account, but for the tables that say why not.
    @Test func everyKeyHoldsTheAccount() throws {
        let store = try Store()
        let without = try store.texts(
            """
            select c.relname::text from pg_class c
            where c.relnamespace = 'ackhub'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
                and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')
            order by 1
            """)
        #expect(without == ["hub_position", "quarantine", "schema_migration"])
    }

    /// Analysts read the views, and neither tokens nor quarantined bytes, nor do they write.
    @Test func readerReadsViewsOnly() throws {
        let store = try Store()
        func may(_ right: String, _ object: String) throws -> Bool {
            try store.connection.query(
                "select has_table_privilege('ackhub_reader', 'ackhub.' || $1::text, $2::text)",
                [.text(object), .text(right)]
            ).bool(0, 0)
        }
        for view in ["campaign_summary", "launch_summary", "launch_timeline", "message_history", "event"] {
            #expect(try may("select", view))
        }
        let hidden = [
            "api_token", "jwt_key", "mint_request", "sent_request", "quarantine", "hub_position", "unmatched_event",
        ]
        for table in hidden {
            #expect(try !may("select", table))
        }
        #expect(try !may("insert", "message") && !may("delete", "event_log"))
    }

    /// A migrator that may not create roles goes on without, and says so.
    @Test func migratorWithoutRightsToRolesGoesOn() throws {
        let server = try TestPostgres.startPrivate()
        let store = try Store(on: server, migrated: false)
        try store.connection.execute(
            "create role plain login; grant create on database \(store.database.name) to plain")
        let notices = Collected<String>()
        var configuration = PostgresConfiguration(
            connection: store.database.url.replacingOccurrences(of: "postgres@", with: "plain@"))
        configuration.onNotice = { notices.append([$0]) }
        #expect(try Migrations.apply(on: PostgresConnection(configuration)).count == EmbeddedSQL.migrations.count)
        #expect(notices.all.contains { $0.contains("ackhub_reader") })
    }
}
