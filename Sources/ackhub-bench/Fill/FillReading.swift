import CommandLineOptions
import EventStore
import Postgres

/// How far a fill is at one moment, and what it has used until then.
struct FillReading: Sendable, Equatable {
    /// By the monotonic clock.
    var nanoseconds: UInt64 = 0
    /// Events that the loaders have loaded.
    var events: UInt64 = 0
    /// Transactions of the loaders.
    var batches: UInt64 = 0
    /// CPU time of the loaders' threads.
    var loaderNanoseconds: UInt64 = 0
    /// CPU time of the threads that make the records and hand them to the spools.
    var writerNanoseconds: UInt64 = 0
    /// CPU time of the processes of the command line; the last one is this one.
    var cpuMicroseconds: [UInt64] = []
    /// Bytes of write-ahead log of the whole server since it was made.
    var walBytes: UInt64 = 0
    /// Bytes of the database with its indexes, as far as it has files.
    var databaseBytes: UInt64 = 0

    init() {}

    init(_ hubs: [FillHub], _ processes: [ProcessTree], on connection: PostgresConnection) throws {
        let rows = try connection.query(Self.sql)
        self.walBytes = UInt64(try rows.int64(0, 0))
        self.databaseBytes = UInt64(try rows.int64(0, 1))
        for hub in hubs {
            let loaded = hub.loaded
            self.events += loaded.events
            self.batches += loaded.batches
            self.loaderNanoseconds += hub.loaderNanoseconds
            self.writerNanoseconds += hub.writerNanoseconds
        }
        self.cpuMicroseconds = try CPUReading(processes).microseconds
        self.nanoseconds = MonotonicClock.now()
    }

    private static let sql = """
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint, pg_database_size(current_database())
        """
}
