package import Postgres
import Synchronization

/// Moves spooled records into PostgreSQL, exactly once. One thread; `run` returns after `stop`.
///
/// The database alone says how far the spool is loaded: the position is stored in the transaction of the batch that it
/// stands for, every batch checks it, and after every error the loader goes on from where it stands. So a lost connection, a
/// COMMIT whose answer was lost and a fail-over to an older server are one case.
package final class Loader: Sendable {
    package struct Configuration: Sendable {
        package var postgres: PostgresConfiguration
        /// The spool's identity.
        package var hub: UInt128
        package var batchRecordsMax = 20_000
        package var batchBytesMax = 8 << 20
        /// How long a small batch may wait for more: the price of a quiet hub's event in latency.
        package var gatherMilliseconds = 80
        /// Between two looks for the messages of parked events.
        package var unmatchedSweepMilliseconds = 5_000
        /// Events of unknown messages that are parked for one account; what comes beyond is dropped, and counted. 300 bytes
        /// each, more or less: 300 MB.
        package var unmatchedEventsPerAccountMax = 1_000_000
        /// Days for which partitions are made ahead, hourly.
        package var partitionDaysAhead = 3
        /// UNIX nanoseconds.
        package var now: @Sendable () -> UInt64 = { WallClock.now() }
        package var log: @Sendable (_ level: String, _ message: String, _ fields: [(String, String)]) -> Void

        package init(
            postgres: PostgresConfiguration, hub: UInt128,
            log: @escaping @Sendable (_ level: String, _ message: String, _ fields: [(String, String)]) -> Void
        ) {
            self.postgres = postgres
            self.hub = hub
            self.log = log
        }
    }

    let configuration: Configuration
    let stopSignal = StopSignal()
    private let loadedPosition = Atomic<UInt64>(0)
    private let counted = Mutex(LoaderMetrics())

    package init(_ configuration: Configuration) {
        precondition(configuration.batchRecordsMax > 0 && configuration.batchBytesMax > 0, "a batch holds something")
        self.configuration = configuration
    }

    /// Blocks its thread. `source` stays on this thread.
    package func run(_ source: any RecordSource) {
        let run = LoaderRun(self, source)
        run.untilStopped()
        self.count { $0.isConnected = false }
    }

    /// Stops after the present batch; returns at once. For good: a stopped loader does not run again.
    package func stop() { self.stopSignal.raise() }

    /// The position up to which the database holds everything; 0 until it was asked.
    package var loaded: UInt64 { self.loadedPosition.load(ordering: .acquiring) }

    package var metrics: LoaderMetrics { self.counted.withLock { $0 } }

    func noteLoaded(_ position: UInt64) { self.loadedPosition.store(position, ordering: .releasing) }
    func count(_ change: (inout LoaderMetrics) -> Void) { self.counted.withLock { change(&$0) } }
}
