import Foundation
import MessageIDs
import Postgres
import TestSupport

@testable import EventStore

/// A migrated database of one test's own, and a connection to look into it.
final class Store {
    let database: TestDatabase
    let connection: PostgresConnection

    /// On the shared server; a copy of a database that was migrated once.
    init(migrated: Bool = true) throws {
        self.database = try TestPostgres.shared.makeDatabase(template: migrated ? Self.migrated.get() : nil)
        self.connection = try PostgresConnection(PostgresConfiguration(connection: self.database.url))
    }

    init(on server: TestPostgres, migrated: Bool = true) throws {
        self.database = try server.makeDatabase()
        self.connection = try PostgresConnection(PostgresConfiguration(connection: self.database.url))
        if migrated { _ = try Migrations.apply(on: self.connection) }
    }

    private static let migrated = Result {
        let database = try TestPostgres.shared.makeDatabase()
        _ = try Migrations.apply(on: PostgresConnection(PostgresConfiguration(connection: database.url)))
        return database
    }

    func makeConnection() throws -> PostgresConnection {
        try PostgresConnection(PostgresConfiguration(connection: self.database.url))
    }

    func makeLoader(hub: UInt128 = 1, _ change: (inout Loader.Configuration) -> Void = { _ in }) -> RunningLoader {
        let log = Collected<String>()
        var configuration = Loader.Configuration(
            postgres: PostgresConfiguration(connection: self.database.url), hub: hub
        ) {
            level, message, fields in
            log.append(["\(level): \(message) \(fields.map { "\($0.0)=\($0.1)" })"])
        }
        configuration.gatherMilliseconds = 1
        configuration.partitionDaysAhead = 0
        // Once, when it connects: a test that wants more says so.
        configuration.unmatchedSweepMilliseconds = 600_000
        configuration.now = { Sample.launchedAt }
        change(&configuration)
        return RunningLoader(Loader(configuration), log)
    }

    /// Loads everything that the source holds, with a loader of its own.
    func load(
        _ source: RecordList, hub: UInt128 = 1, _ change: (inout Loader.Configuration) -> Void = { _ in }
    ) throws {
        let running = self.makeLoader(hub: hub, change)
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
    }

    func load(_ records: [[UInt8]], hub: UInt128 = 1) throws { try self.load(RecordList(records), hub: hub) }

    func integer(_ sql: String) throws -> Int64 { try self.connection.query(sql).int64(0, 0) }

    /// The first column.
    func texts(_ sql: String) throws -> [String] {
        let rows = try self.connection.query(sql)
        return try (0..<rows.count).map { try rows.text($0, 0) }
    }

    func report(_ launch: LaunchID = Sample.launch, includeTests: Bool = false) throws -> LaunchReport? {
        try Reports.launch(launch, includeTests: includeTests, on: self.connection)
    }

    /// `sent acked derived opened acksTotal opensTotal` of the sample launch.
    func row(_ launch: LaunchID = Sample.launch) throws -> [Int64] {
        guard let row = try self.report(launch)?.totals else { return [] }
        return [row.sent, row.acked, row.derived, row.opened, row.acksTotal, row.opensTotal]
    }

    func differences() throws -> [String] {
        try Reconciliation.run(account: nil, on: self.connection).differences
            .map { "\($0.counter): \($0.counted) for \($0.recounted)" }
    }
}

/// A loader on a thread of its own.
final class RunningLoader: Sendable {
    struct NotLoaded: Error {
        var loaded: UInt64
        var log: [String]
    }

    let loader: Loader
    private let logged: Collected<String>
    private let ended = DispatchSemaphore(value: 0)

    init(_ loader: Loader, _ logged: Collected<String>) {
        self.loader = loader
        self.logged = logged
    }

    /// What it logged of a level.
    func log(_ level: String) -> [String] { self.logged.all.filter { $0.hasPrefix(level) } }

    func start(_ source: RecordList) {
        Thread { [loader, ended] in
            loader.run(source)
            ended.signal()
        }.start()
    }

    func waitUntilLoaded(_ position: UInt64, deadline: Duration = .seconds(30)) throws {
        guard waitUntil(deadline: deadline, condition: { self.loader.loaded >= position }) else {
            throw NotLoaded(loaded: self.loader.loaded, log: self.logged.all)
        }
    }

    /// Returns when `run` has returned.
    func stop() {
        self.loader.stop()
        self.ended.wait()
    }
}
