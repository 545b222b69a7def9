import CommandLineOptions
import EventSpool
import EventStore
import Postgres

/// What a hub does behind its endpoints: a spool of its own, a thread that writes it, and the loader.
final class FillHub {
    private let folder: FillFolder
    private let spool: Spool
    private let loader: Loader
    private let writer: FillWriter
    private let writerThread: FillThread
    private let loaderThread: FillThread
    private var isClosed = false

    /// Makes a folder below `parent` and begins. `hub`: its number, from 0.
    init(
        _ run: FillRun, plan: FillPlan, launches: FillLaunches, hub: Int, tell: @escaping @Sendable (String) -> Void
    ) throws {
        self.folder = try FillFolder(below: run.directory)
        let spool = try Spool(SpoolConfiguration(directory: self.folder.path), log: tell)
        self.spool = spool
        var loading = Loader.Configuration(
            postgres: PostgresConfiguration(connection: run.database), hub: self.spool.identity
        ) { level, message, fields in
            guard level != "info" else { return }
            tell(([message] + fields.map { "\($0): \($1)" }).joined(separator: ", "))
        }
        loading.batchRecordsMax = run.batchRecordsMax
        let loader = Loader(loading)
        self.loader = loader
        let writer = try FillWriter(
            plan: plan, launches: launches, spool: self.spool, loader: loader, hub: hub, of: run.hubs)
        self.writer = writer
        self.writerThread = try FillThread("fill-writer") { writer.run() }
        self.loaderThread = try FillThread("loader") {
            do throws(SpoolError) {
                loader.run(try FillSource(spool))
            } catch {
                tell("the spool can't be read: \(error)")
            }
        }
    }

    deinit { self.close() }

    var loaded: LoaderMetrics { self.loader.metrics }
    var loaderNanoseconds: UInt64 { self.loaderThread.cpuNanoseconds }
    var writerNanoseconds: UInt64 { self.writerThread.cpuNanoseconds }

    /// What was put in; nil while the spool is written.
    func ledger() throws(CommandError) -> FillLedger? { try self.writer.ledger() }

    /// Ends all threads, and removes the spool.
    func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.writer.stop()
        self.loader.stop()
        self.writerThread.join()
        self.loaderThread.join()
        self.spool.close()
        self.folder.remove()
    }
}
