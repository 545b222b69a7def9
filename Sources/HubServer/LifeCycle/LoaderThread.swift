import EventSpool
import EventStore
import Postgres
import Synchronization

/// The thread that moves spooled events into PostgreSQL. Before it loads it makes sure that the schema is there, for a hub
/// also starts, and accepts hits, while PostgreSQL is away.
final class LoaderThread: Sendable {
    /// Between two looks at a database that is away or not migrated.
    static let retryMilliseconds = 1_000

    let loader: Loader
    private let spool: Spool
    private let postgres: PostgresConfiguration
    private let log: Log
    private let stopSignal = StopSignal()
    private let schema = Atomic<UInt8>(SchemaState.unknown.rawValue)
    private let thread = Mutex<HubThread?>(nil)

    enum SchemaState: UInt8, Sendable {
        case unknown, current, pending
    }

    init(_ configuration: HubConfiguration, postgres: PostgresConfiguration, spool: Spool, log: Log) {
        var loading = Loader.Configuration(postgres: postgres, hub: spool.identity) { level, message, fields in
            log.writeLimited(key: "loader:\(message)", Log.Level(rawValue: level) ?? .warning, message, fields)
        }
        loading.batchRecordsMax = configuration.loaderBatchRecordsMax
        self.loader = Loader(loading)
        self.spool = spool
        self.postgres = postgres
        self.log = log
    }

    var schemaState: SchemaState { SchemaState(rawValue: self.schema.load(ordering: .relaxed))! }

    /// Throws when migrations are pending, or were applied with another text. A database that is away is no error: the thread
    /// looks again.
    func checkSchemaAtStart() throws(HubError) {
        do {
            let pending = try self.pendingMigrations()
            guard let first = pending.first else { return }
            throw HubError(
                code: .schema,
                detail: "the database lacks \(pending.count) migration(s), from \(first.name) on: run ackhub migrate")
        } catch let error as HubError {
            throw error
        } catch let error as StoreError {
            throw HubError(
                code: .schema, detail: "the database's schema is not this program's: \(error)", underlying: error)
        } catch {
            self.logAway(error)
        }
    }

    func start() throws(HubError) {
        let thread = try HubThread { self.run() }
        self.thread.withLock { $0 = thread }
    }

    /// Asks for the end and waits for it, at most so long; whether it came.
    func stop(withinSeconds seconds: Double) -> Bool {
        self.stopSignal.raise()
        self.loader.stop()
        return self.thread.withLock { $0 }?.wait(seconds: seconds) ?? true
    }

    private func run() {
        while !self.stopSignal.isRaised {
            if self.schemaState != .current { self.lookAtSchema() }
            // Returns only when it is told to stop.
            if self.schemaState == .current, let source = self.makeSource() { return self.loader.run(source) }
            self.stopSignal.wait(milliseconds: Self.retryMilliseconds)
        }
    }

    /// nil when the spool can't be read now.
    private func makeSource() -> SpoolRecordSource? {
        do {
            return try SpoolRecordSource(self.spool)
        } catch {
            self.log.writeLimited(
                key: "spool-reader", .error, "the spool can't be read: nothing is loaded", [("error", "\(error)")])
            return nil
        }
    }

    private func lookAtSchema() {
        do {
            guard let first = try self.pendingMigrations().first else { return }
            self.log.writeLimited(
                key: "schema", .error, "the database lacks migrations: nothing is loaded until ackhub migrate ran",
                [("first", first.name)])
        } catch let error as StoreError {
            self.log.writeLimited(
                key: "schema", .error, "the database's schema is not this program's: nothing is loaded",
                [("error", "\(error)")])
        } catch {
            self.logAway(error)
        }
    }

    private func logAway(_ error: any Error) {
        self.log.writeLimited(
            key: "database-away", .warning, "the database can't be reached: events wait in the spool",
            [("error", "\(error)")])
    }

    private func pendingMigrations() throws -> [Migrations.Applied] {
        let pending = try Migrations.pending(on: PostgresConnection(self.postgres))
        self.schema.store((pending.isEmpty ? SchemaState.current : .pending).rawValue, ordering: .relaxed)
        return pending
    }
}
