import Foundation
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Events that are parked until their message comes.
@Suite(.blocking)
struct UnmatchedEventTests {
    private static let parked = "select count(*) from ackhub.unmatched_event"

    private static func reports(_ numbers: ClosedRange<Int>) -> [[UInt8]] {
        numbers.flatMap { number in
            let key = Sample.message(number).messageKey
            return [Sample.keyed(.ack, key), Sample.keyed(.open, key, after: 20), Sample.keyed(.open, key, after: 30)]
        }
    }

    private static func minted(_ numbers: ClosedRange<Int>) -> [[UInt8]] {
        numbers.map { Sample.minted(Sample.message($0)) }
    }

    private static func quick(_ configuration: inout Loader.Configuration) {
        configuration.unmatchedSweepMilliseconds = 1
    }

    /// Parked with the whole record, then counted as if it had come after its message: once, with the message's privacy.
    @Test func parkedEventsCountWhenTheirMessageComes() throws {
        let store = try Store()
        let reports = Self.reports(1...3)
        let running = store.makeLoader(Self.quick)
        let source = RecordList(reports)
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        let rows = try store.connection.query("select record from ackhub.unmatched_event order by event_id")
        #expect(try (0..<rows.count).map { try rows.bytes($0, 0) } == reports)
        #expect(try store.integer("select count(*) from ackhub.launch_total") == 0)
        #expect(try store.differences() == [])

        try store.load(Self.minted(1...2) + [Sample.minted(Sample.message(4))], hub: 2)
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 6 })
        #expect(try store.row() == [0, 2, 0, 2, 2, 4])
        #expect(try store.integer(Self.parked) == 3)
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 4)
        #expect(try store.texts("select distinct host(address) from ackhub.event_log") == ["192.0.2.65"])
        #expect(running.loader.metrics.unmatchedParked == 9 && running.loader.metrics.events == 6)
        #expect(running.log("warning") == [])
        #expect(try store.differences() == [])
    }

    /// A parked event's address and user agent go when its message forbids them.
    @Test func privacyIsAppliedWhenTheMessageComes() throws {
        let store = try Store()
        let message = Sample.message(1, privacy: .dropAddress)
        try store.load([Sample.keyed(.ack, message.messageKey)])
        let running = store.makeLoader(hub: 2, Self.quick)
        running.start(RecordList([Sample.minted(message)]))
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 1 })
        #expect(
            try store.integer(
                "select count(*) from ackhub.event_log where address is null and user_agent is null") == 1)
    }

    /// One hub's message is not committed yet while the other hub loads the report of it: a sweep finds it.
    @Test func messageThatCommitsWhileItsEventIsParkedIsFound() throws {
        let store = try Store()
        let message = Sample.message(1)
        // Keeps the first hub inside its transaction, behind its message's row.
        let gate = try store.makeConnection()
        try gate.execute("select pg_advisory_lock(1)")
        try store.connection.execute(
            """
            create function wait() returns trigger language plpgsql as
                $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
            create trigger wait after insert on ackhub.launch_total for each statement execute function wait();
            """)
        let minter = store.makeLoader(Self.quick)
        let minting = RecordList([Sample.minted(message), Sample.sent(1)])
        minter.start(minting)
        defer { minter.stop() }
        let waiting =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
        #expect(try waitUntil { try store.integer(waiting) == 1 })
        let reporter = store.makeLoader(hub: 2, Self.quick)
        let reporting = RecordList([Sample.keyed(.open, message.messageKey)])
        reporter.start(reporting)
        defer { reporter.stop() }
        try reporter.waitUntilLoaded(reporting.end)
        #expect(try store.integer(Self.parked) == 1)
        #expect(reporter.loader.metrics.unmatchedMatched == 0)

        try gate.execute("select pg_advisory_unlock(1)")
        try minter.waitUntilLoaded(minting.end)
        #expect(try waitUntil { try store.row() == [1, 0, 1, 1, 0, 1] })
        #expect(try store.integer(Self.parked) == 0)
        #expect(minter.loader.metrics.unmatchedMatched + reporter.loader.metrics.unmatchedMatched == 1)
        #expect(try store.differences() == [])
    }

    /// Three hubs sweep at once while messages and reports come in, in small batches: nothing is lost, nothing counts twice.
    @Test func sweepsAtOnceAreExact() throws {
        let store = try Store()
        let sources = [
            RecordList(Self.reports(1...60)), RecordList(Self.reports(1...60).reversed()),
            RecordList(Self.minted(1...60)),
        ]
        let loaders = (0..<3).map { hub in
            store.makeLoader(hub: UInt128(hub)) {
                Self.quick(&$0)
                $0.batchRecordsMax = 11
            }
        }
        for (loader, source) in zip(loaders, sources) { loader.start(source) }
        defer { for loader in loaders { loader.stop() } }
        for (loader, source) in zip(loaders, sources) { try loader.waitUntilLoaded(source.end) }
        #expect(try waitUntil { try store.integer(Self.parked) == 0 })
        #expect(try store.row() == [0, 60, 0, 60, 120, 240])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 120)
        #expect(loaders.flatMap { $0.log("warning") } == [])
        #expect(
            try store.integer("select deadlocks from pg_stat_database where datname = current_database()") == 0)
        let parked = loaders.map(\.loader.metrics.unmatchedParked).reduce(0, +)
        #expect(loaders.map(\.loader.metrics.unmatchedMatched).reduce(0, +) == parked)
        #expect(try store.differences() == [])
    }

    /// What another sweep holds is left to it, without waiting.
    @Test func heldEventsArePassedOver() throws {
        let store = try Store()
        try store.load(Self.reports(1...2))
        let other = try store.makeConnection()
        let first = Sample.message(1).messageKey
        try other.execute("begin; select from ackhub.unmatched_event where message_key = '\(first.text)' for update")
        let running = store.makeLoader(hub: 2, Self.quick)
        running.start(RecordList(Self.minted(1...2)))
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 3 })
        #expect(try store.integer(Self.parked) == 3)
        try other.execute("rollback")
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 6 })
        #expect(try store.row() == [0, 2, 0, 2, 2, 4])
        #expect(try store.differences() == [])
    }

    /// A sweep whose COMMIT is lost, on its way or on the way back, counts its events once.
    @Test(arguments: [[CommitCutter.Cut.after], [.before], [.before, .after]])
    func sweepWhoseCommitIsLostCountsOnce(_ cuts: [CommitCutter.Cut]) throws {
        let store = try Store()
        try store.load(Self.reports(1...5))
        try store.load(Self.minted(1...5), hub: 2)
        #expect(try store.integer(Self.parked) == 15)
        let cutter = CommitCutter(socketFolder: TestPostgres.shared.socketFolder, cuts: cuts)
        defer { cutter.stop() }
        let running = store.makeLoader(hub: 3) {
            Self.quick(&$0)
            $0.postgres = PostgresConfiguration(connection: cutter.url(database: store.database.name))
        }
        running.start(RecordList())
        defer { running.stop() }
        #expect(try waitUntil { try cutter.cutsLeft == 0 && store.integer(Self.parked) == 0 })
        #expect(try waitUntil { try store.row() == [0, 5, 0, 5, 5, 10] })
        #expect(try store.integer("select count(*) from ackhub.event_log") == 15)
        #expect(try store.differences() == [])
    }

    /// Parked events that the database refuses, or that can't be read, are put aside byte for byte; all others are loaded.
    @Test func badParkedEventsArePutAside() throws {
        let store = try Store()
        let poison = (1...2).map {
            Sample.keyed(.ack, Sample.message($0).messageKey, userAgent: Array("poison".utf8))
        }
        try store.load(Self.reports(1...5) + poison)
        try store.connection.execute(
            """
            create function refuse() returns trigger language plpgsql as
                $$ begin if new.user_agent = 'poison' then raise exception 'poison'; end if; return new; end $$;
            create trigger refuse before insert on ackhub.event_log for each row execute function refuse();
            insert into ackhub.unmatched_event (account_id, message_key, received_at, record)
                select account_id, message_key, received_at, '\\x12' from ackhub.unmatched_event limit 1;
            """)
        let running = store.makeLoader(hub: 2, Self.quick)
        running.start(RecordList(Self.minted(1...5)))
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 15 })
        #expect(waitUntil { running.loader.metrics.quarantined == 3 })
        #expect(try store.row() == [0, 5, 0, 5, 5, 10])
        #expect(try store.integer(Self.parked) == 0)
        let aside = try store.connection.query("select record from ackhub.quarantine where record_index < 0")
        #expect(Set(try (0..<aside.count).map { try aside.bytes($0, 0) }) == Set(poison + [[0x12]]))
        #expect(try store.differences() == [])
    }

    /// A day's partition that is gone when a parked event's message comes is made again: no event is blamed.
    @Test func droppedDayIsMadeAgain() throws {
        let store = try Store()
        let running = store.makeLoader(Self.quick)
        let source = RecordList(Self.reports(1...1))
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        try store.connection.execute("drop table ackhub.event_log_20260301")
        source.append(Self.minted(1...1))
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 3 })
        #expect(running.loader.metrics.quarantined == 0)
        #expect(try store.differences() == [])
    }

    /// More parked events than one look goes through: it goes on where it stood, and around.
    @Test func looksGoThroughEverything() throws {
        let store = try Store()
        let looks = UnmatchedSweep.examinedRowsMax
        try store.connection.execute(
            """
            insert into ackhub.unmatched_event (account_id, message_key, received_at, record)
                select 1, lpad(to_hex(n), 32, '0')::uuid, now(), '\\x12' from generate_series(1, \(looks + 5)) n
            """)
        try store.load(Self.reports(1...1))
        let running = store.makeLoader(hub: 2, Self.quick)
        let source = RecordList()
        running.start(source)
        defer { running.stop() }
        source.append(Self.minted(1...1))
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 3 })
        try store.load([Sample.keyed(.ack, Sample.message(2).messageKey)], hub: 3)
        source.append(Self.minted(2...2))
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 4 })
        #expect(try store.integer(Self.parked) == Int64(looks + 5))
    }

    /// After 31 days a parked event is dropped, and counted as dropped; a younger one stays.
    @Test func oldParkedEventsAreDropped() throws {
        let store = try Store()
        let key = Sample.message(1).messageKey
        try store.load([Sample.keyed(.ack, key, after: 0), Sample.keyed(.ack, key, after: 1)])
        let running = store.makeLoader(hub: 2) { $0.now = { Sample.launchedAt + 31 * Sample.day + 1000 } }
        running.start(RecordList())
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.unmatchedExpired == 1 })
        #expect(
            try store.integer("select count(*) from ackhub.unmatched_event where received_at > '2026-03-01 12:00:01'")
                == 1)
        #expect(try store.integer(Self.parked) == 1)
    }

    /// An account parks no more than its limit, over batches and hubs; another account's room is its own.
    @Test(arguments: [1, 20_000]) func parkedEventsAreLimited(_ recordsMax: Int) throws {
        let store = try Store()
        try store.load(Self.reports(1...1))
        let running = store.makeLoader(hub: 2) {
            $0.batchRecordsMax = recordsMax
            $0.unmatchedEventsPerAccountMax = 5
        }
        let other = (1...6).map { Sample.keyed(.ack, account: 2, Sample.message($0).messageKey) }
        let source = RecordList(Self.reports(2...4) + other + [Sample.ack(Sample.message(9))])
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.integer(Self.parked + " where account_id = 1") == 5)
        #expect(try store.integer(Self.parked + " where account_id = 2") == 5)
        #expect(running.loader.metrics.unmatchedParked == 7 && running.loader.metrics.unmatchedRefused == 8)
        #expect(!running.log("warning").isEmpty)
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
        #expect(try store.differences() == [])
    }
}
