import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// The same report at two hubs at once, and among parked events.
@Suite(.blocking)
struct RepeatedReportRaceTests {
    private static let parked = "select count(*) from ackhub.unmatched_event"

    /// The second hub has the report while the first one's transaction is open. It waits for the message's row, whether that is
    /// new or known, and although neither of them changes a known one, whatever isolation the database prefers.
    @Test(arguments: [true, false], ["read committed", "repeatable read"])
    func secondHubWaitsForTheFirst(_ isKnown: Bool, _ isolation: String) throws {
        let store = try Store()
        try store.connection.execute(
            "alter database \(store.database.name) set default_transaction_isolation = '\(isolation)'")
        let message = Sample.message(1)
        try store.load([Sample.sent(1)] + (isKnown ? [Sample.ack(message), Sample.open(message)] : []))
        // Keeps the first hub inside its transaction, behind its events.
        let gate = try store.makeConnection()
        try gate.execute("select pg_advisory_lock(1)")
        try store.connection.execute(
            """
            create function wait() returns trigger language plpgsql as
                $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
            create trigger wait after insert on ackhub.event_log for each statement execute function wait();
            """)
        func waiting(_ type: String) throws -> Int64 {
            try store.integer(
                """
                select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                    and wait_event = '\(type)'
                """)
        }
        let source = RecordList([Sample.report(7, .ack, message), Sample.report(7, .open, message)])
        let first = store.makeLoader(hub: 2)
        first.start(source)
        defer { first.stop() }
        #expect(try waitUntil { try waiting("advisory") == 1 })
        let second = store.makeLoader(hub: 3)
        let again = RecordList([
            Sample.report(7, .open, message, after: 30), Sample.report(7, .ack, message, after: 30),
        ])
        second.start(again)
        defer { second.stop() }
        #expect(try waitUntil { try waiting("transactionid") == 1 })

        try gate.execute("select pg_advisory_unlock(1)")
        try first.waitUntilLoaded(source.end)
        try second.waitUntilLoaded(again.end)
        let expected: [Int64] = isKnown ? [1, 1, 0, 1, 2, 2] : [1, 1, 0, 1, 1, 1]
        #expect(try store.row() == expected)
        #expect(first.loader.metrics.repeatedReports == 0 && second.loader.metrics.repeatedReports == 2)
        #expect(second.log("warning") == [])
        #expect(try store.differences() == [])
    }

    /// Two hubs get the same reports in opposite order, some through a prefetching proxy, in many small batches: each is
    /// stored once, and none is without a first open that has one.
    @Test func hubsWithTheSameReportsAreExact() throws {
        let store = try Store()
        let reports = (1...60).flatMap { number in
            let message = Sample.message(number)
            return [
                Sample.report(7, .ack, message), Sample.report(7, .open, message),
                Sample.report(8, .open, message, eventClass: .bot), Sample.report(8, .open, message),
                Sample.report(9, .open, message, eventClass: .prefetch),
            ]
        }
        let sources = [RecordList(reports), RecordList(reports.reversed()), RecordList(reports)]
        let loaders = sources.indices.map { hub in store.makeLoader(hub: UInt128(hub)) { $0.batchRecordsMax = 13 } }
        for (loader, source) in zip(loaders, sources) { loader.start(source) }
        defer { for loader in loaders { loader.stop() } }
        for (loader, source) in zip(loaders, sources) { try loader.waitUntilLoaded(source.end) }
        #expect(try store.integer("select count(*) from ackhub.event_log") == 240)
        #expect(
            try store.integer("select count(distinct (message_key, kind, report)) from ackhub.event_log") == 240)
        let row = try store.row()
        #expect(Array(row[..<5]) == [0, 60, 0, 60, 60])
        let counting = try store.integer("select count(*) from ackhub.event_log where kind = 2 and class < 2")
        #expect(row[5] == counting)
        #expect(loaders.map(\.loader.metrics.repeatedReports).reduce(0, +) == 660)
        #expect(loaders.flatMap { $0.log("warning") } == [])
        #expect(
            try store.integer("select deadlocks from pg_stat_database where datname = current_database()") == 0)
        #expect(try store.differences() == [])
    }

    /// Parked twice, and told once more in full when the message had come: one report, whichever is loaded first.
    @Test(arguments: [true, false]) func parkedRepeatCountsOnce(_ directFirst: Bool) throws {
        let store = try Store()
        let message = Sample.message(1)
        let key = message.messageKey
        func keyed(_ kind: EventKind, after seconds: UInt64) -> [UInt8] {
            Sample.keyed(kind, key, after: seconds) { $0.report = 7 }
        }
        try store.load([keyed(.ack, after: 10), keyed(.open, after: 10), keyed(.open, after: 20)])
        try store.load([keyed(.ack, after: 30), Sample.keyed(.open, key, after: 40)], hub: 2)
        #expect(try store.integer(Self.parked) == 5)
        let direct = [Sample.report(7, .ack, message, after: 50), Sample.report(7, .open, message, after: 50)]
        try store.load([Sample.minted(message)] + (directFirst ? direct : []), hub: 3)
        #expect(try store.integer(Self.parked) == 5)

        let running = store.makeLoader(hub: 4)
        running.start(RecordList())
        defer { running.stop() }
        #expect(waitUntil { running.loader.metrics.unmatchedMatched == 5 })
        if !directFirst { try store.load(direct, hub: 5) }
        #expect(try store.row() == [0, 1, 0, 1, 1, 2])
        #expect(try store.integer(Self.parked) == 0)
        #expect(running.loader.metrics.repeatedReports == (directFirst ? 4 : 2))
        #expect(running.loader.metrics.events == (directFirst ? 1 : 3))
        #expect(
            try store.integer("select count(*) from ackhub.event_log where report is not null and dialect = 5")
                == (directFirst ? 0 : 2))
        #expect(try store.differences() == [])
    }

    /// A report by key whose message is known, in its batch and in later ones.
    @Test(arguments: [1, 20_000]) func keyedRepeatCountsOnce(_ recordsMax: Int) throws {
        let store = try Store()
        let message = Sample.message(1)
        let reports = [EventKind.ack, .open, .ack, .open].map { kind in
            Sample.keyed(kind, message.messageKey) { $0.report = 7 }
        }
        try store.load(RecordList([Sample.minted(message)] + reports)) { $0.batchRecordsMax = recordsMax }
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.integer("select count(*) from ackhub.event_log where report is not null") == 2)
        #expect(try store.differences() == [])
    }
}
