import Foundation
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// What the loader does when the database, the network or a record fails it.
@Suite(.blocking)
struct LoaderFaultTests {
    private static func records(_ count: Int) -> [[UInt8]] {
        (1...count).flatMap { [Sample.ack(Sample.message($0)), Sample.open(Sample.message($0))] }
    }

    /// A COMMIT that the server did and the hub did not hear of is not done again; one that was lost on its way is.
    @Test(arguments: [[CommitCutter.Cut.after], [.before], [.after, .before, .after, .after, .before]])
    func lostCommitAnswerCountsOnce(_ cuts: [CommitCutter.Cut]) throws {
        let store = try Store()
        _ = try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection)
        let cutter = CommitCutter(socketFolder: TestPostgres.shared.socketFolder, cuts: cuts)
        defer { cutter.stop() }
        let source = RecordList(Self.records(50) + [Sample.sent(50), Sample.sent(30, request: 1)])
        let running = store.makeLoader {
            $0.postgres = PostgresConfiguration(connection: cutter.url(database: store.database.name))
            $0.batchRecordsMax = 10
        }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(cutter.cutsLeft == 0)
        #expect(running.loader.metrics.retries == UInt64(cuts.count))
        #expect(try store.row() == [80, 50, 0, 50, 50, 50])
        #expect(try store.integer("select count(*) from ackhub.event_log") == 100)
        #expect(try store.differences() == [])
    }

    /// The same records from a source that starts over: the database knows how far it is.
    @Test func newLoaderGoesOnWhereTheDatabaseStands() throws {
        let store = try Store()
        let records = Self.records(20)
        try store.load(records)
        try store.load(RecordList(records + [Sample.ack(Sample.message(99))]))
        #expect(try store.row() == [0, 21, 0, 20, 21, 20])
    }

    /// A hub that starts again lets its spool go of what the database holds, though nothing new comes: a full one would stay
    /// full for ever.
    @Test func startReleasesWhatTheDatabaseHolds() throws {
        let store = try Store()
        let records = Self.records(20)
        try store.load(records)
        let reopened = RecordList(records)
        let running = store.makeLoader()
        running.start(reopened)
        defer { running.stop() }
        #expect(waitUntil { reopened.released == reopened.end })
    }

    /// Connections killed in the middle of batches, again and again: exact.
    @Test func terminatedBackendsLoseNothing() throws {
        let store = try Store()
        let source = RecordList(Self.records(400))
        let running = store.makeLoader { $0.batchRecordsMax = 25 }
        running.start(source)
        defer { running.stop() }
        for _ in 0..<5 {
            let loaded = running.loader.loaded
            waitUntil { running.loader.loaded > loaded || running.loader.loaded == source.end }
            try store.connection.query(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
            )
        }
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.retries > 0)
        #expect(try store.row() == [0, 400, 0, 400, 400, 400])
        #expect(try store.differences() == [])
    }

    /// A statement that times out on another's lock is tried again until the lock is gone.
    @Test func statementTimeoutIsTriedAgain() throws {
        let store = try Store()
        try store.load([Sample.ack(Sample.message(1))])
        let other = try store.makeConnection()
        try other.execute("begin; select 1 from ackhub.launch_total for update")
        let source = RecordList([Sample.ack(Sample.message(2))])
        let running = store.makeLoader(hub: 2) { $0.postgres.statementTimeoutMilliseconds = 100 }
        running.start(source)
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.retries > 0 })
        try other.execute("commit")
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 2, 0, 0, 2, 0])
        #expect(running.loader.metrics.quarantined == 0)
    }

    /// A batch that is too much for the server's time-out is tried in smaller ones, and no record is blamed.
    @Test func tooSlowBatchesGetSmaller() throws {
        let store = try Store()
        try store.connection.execute(
            """
            create function slow() returns trigger language plpgsql as $$ begin
                if (select count(*) > 20 from rows) then raise exception 'slow' using errcode = '57014'; end if;
                return null;
            end $$;
            create trigger slow after insert on ackhub.event_log referencing new table as rows
                for each statement execute function slow();
            """)
        let source = RecordList((0..<40).map { Sample.ack(Sample.message($0)) })
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 40, 0, 0, 40, 0])
        #expect(running.loader.metrics.quarantined == 0)
    }

    /// A deadlock with somebody else's transaction ends with both done, and the batch counted once.
    @Test func deadlockIsTriedAgain() throws {
        let store = try Store()
        try store.load([Sample.ack(Sample.message(1))])
        let other = try store.makeConnection()
        try other.execute("begin; select 1 from ackhub.launch_total for update")
        let source = RecordList([Sample.open(Sample.message(1))])
        let running = store.makeLoader(hub: 2)
        running.start(source)
        defer { running.stop() }
        let waiting =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        #expect(try waitUntil { try store.integer(waiting) == 1 })
        // Whichever of the two the server picks, the other one goes on.
        try? other.execute("set local deadlock_timeout = '10s'; update ackhub.message set privacy = privacy; commit")
        try? other.execute("rollback")
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.retries == 1)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.differences() == [])
    }

    /// The server stops and comes back: nothing is lost, and the loader says that it is away.
    @Test func stoppedServerIsWaitedFor() throws {
        let server = try TestPostgres.startPrivate()
        let store = try Store(on: server)
        let source = RecordList(Self.records(10))
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        try server.stop()
        source.append([Sample.ack(Sample.message(11))])
        #expect(waitUntil { !running.loader.metrics.isConnected })
        try server.start()
        try running.waitUntilLoaded(source.end)
        #expect(source.released == source.end)
        let again = try store.makeConnection()
        #expect(try Reports.launch(Sample.launch, includeTests: false, on: again)?.totals.acked == 11)
    }

    /// A hub without traffic sees the server go and come back, too.
    @Test func quietLoaderSeesTheServerGo() throws {
        let server = try TestPostgres.startPrivate()
        let store = try Store(on: server)
        let running = store.makeLoader()
        running.start(RecordList())
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.isConnected })
        try server.stop()
        #expect(waitUntil { !running.loader.metrics.isConnected })
        try server.start()
        #expect(waitUntil { running.loader.metrics.isConnected })
    }

    /// User agents that broke other stores are stored cleaned, their neighbours too.
    @Test func hostileUserAgentsAreStoredWithTheirNeighbours() throws {
        let store = try Store()
        let agents: [[UInt8]] = [
            [], Array(repeating: 0x78, count: 10_240), [0x61, 0x00, 0x62], [0xFF], [0xED, 0xA0, 0x80],
            Array("good".utf8),
        ]
        try store.load(agents.enumerated().map { Sample.event(.ack, Sample.message($0.offset), userAgent: $0.element) })
        let stored = try store.texts(
            "select coalesce(user_agent, '-') from ackhub.event order by subscription_id")
        #expect(
            stored == [
                "-", String(repeating: "x", count: 512), "a\u{FFFD}b", "\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}", "good",
            ])
        #expect(try store.row() == [0, 6, 0, 0, 6, 0])
    }

    /// Records that the database refuses are put aside, byte for byte; all others are loaded.
    @Test(arguments: [[0], [57], [99], [0, 1, 50, 98, 99]]) func poisonIsPutAsideAlone(_ places: [Int]) throws {
        let store = try Store()
        try store.connection.execute(
            """
            create function refuse() returns trigger language plpgsql as
                $$ begin if new.user_agent = 'poison' then raise exception 'poison'; end if; return new; end $$;
            create trigger refuse before insert on ackhub.event_log for each row execute function refuse();
            """)
        let records = (0..<100).map {
            Sample.event(.ack, Sample.message($0), userAgent: Array((places.contains($0) ? "poison" : "good").utf8))
        }
        let source = RecordList(records)
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.row()[1] == Int64(100 - places.count))
        let quarantined = try store.connection.query(
            "select record, position, sql_state from ackhub.quarantine order by position")
        #expect(try (0..<quarantined.count).map { try quarantined.bytes($0, 0) } == places.map { records[$0] })
        #expect(
            try (0..<quarantined.count).map { UInt64(try quarantined.int64($0, 1)) } == places.map(source.offset(of:)))
        #expect(running.loader.metrics.quarantined == UInt64(places.count))
        #expect(source.released == source.end)
        #expect(try store.differences() == [])
    }

    /// Records that can't be read are put aside with their reason, the rest is loaded.
    @Test func unreadableRecordsArePutAside() throws {
        let store = try Store()
        let good = Sample.ack(Sample.message(1))
        let source = RecordList([[], [0xEE], good, Array(good.dropLast(30))])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
        #expect(try store.texts("select record_index::text from ackhub.quarantine order by 1") == ["0", "1", "3"])
        #expect(
            try store.integer("select count(*) from ackhub.quarantine where reason <> '' and sql_state is null") == 3)
        #expect(running.loader.metrics.quarantined == 3)
    }

    /// A schema that is not there blames no record: the loader waits until it is.
    @Test func missingSchemaIsWaitedFor() throws {
        let store = try Store(migrated: false)
        let source = RecordList([Sample.ack(Sample.message(1))])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.retries > 0 })
        _ = try Migrations.apply(on: store.connection)
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.quarantined == 0)
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
    }

    /// A server that failed over to an older state gets again what it lacks, as long as the spool holds it.
    @Test func olderDatabaseIsFilledUpAgain() throws {
        let store = try Store()
        let source = RecordList(Self.records(5))
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        try store.connection.execute(
            """
            truncate ackhub.message, ackhub.event_log, ackhub.launch_total, ackhub.launch_bucket;
            update ackhub.hub_position set position = 0;
            select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid();
            """)
        source.append([Sample.ack(Sample.message(6))])
        #expect(try waitUntil { try store.row() == [0, 6, 0, 5, 6, 5] })
        #expect(running.loader.metrics.positionMoves == 1)
    }

    /// What the spool has let go can't be filled up; the loader goes on with what there is, and says so.
    @Test func olderDatabaseThanTheSpoolGoesOn() throws {
        let store = try Store()
        let source = RecordList(Self.records(5))
        source.drop(first: 4)
        try store.load(source)
        #expect(try store.row() == [0, 3, 0, 3, 3, 3])
        #expect(try store.integer("select position from ackhub.hub_position") == Int64(source.end))
    }

    /// What holds no record is passed: a loader that has nothing left to load has loaded everything.
    @Test func gapAtTheEndIsPassed() throws {
        let store = try Store()
        let source = RecordList(Self.records(2))
        source.endWithGap(bytes: 1000)
        try store.load(source)
        #expect(source.released == source.end)
        #expect(try store.integer("select position from ackhub.hub_position") == Int64(source.end))
        try store.load(source)
        #expect(try store.row() == [0, 2, 0, 2, 2, 2])
    }

    /// A position that lies ahead of the spool is another spool's: nothing is loaded under it.
    @Test func positionAheadOfTheSpoolIsRefused() throws {
        let store = try Store()
        try store.load(Self.records(5))
        let source = RecordList([Sample.ack(Sample.message(9))])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.retries > 1 })
        #expect(running.loader.loaded == 0 && source.released == 0)
        #expect(try store.row() == [0, 5, 0, 5, 5, 5])
    }

    /// A loader that waits to try again stops at once, and so does an idle one.
    @Test(arguments: [true, false]) func stopIsPrompt(_ isAway: Bool) throws {
        let store = try Store()
        let source = RecordList()
        let running = store.makeLoader {
            if isAway { $0.postgres = PostgresConfiguration(connection: "postgresql:///x?host=/nonexistent") }
        }
        running.start(source)
        #expect(waitUntil { isAway ? running.loader.metrics.retries > 3 : running.loader.metrics.isConnected })
        let begun = ContinuousClock.now
        running.stop()
        #expect(ContinuousClock.now - begun < .seconds(2))
    }
}
