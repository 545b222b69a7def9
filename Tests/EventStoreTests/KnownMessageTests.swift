import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Messages of a batch that the database has, has not, or gets from somebody else meanwhile.
@Suite(.blocking)
struct KnownMessageTests {
    /// Batches with new, known and repeated messages side by side, however they are cut.
    @Test(arguments: [1, 3, 20_000]) func mixedBatchesAreExact(_ recordsMax: Int) throws {
        let store = try Store()
        try store.load((0..<40).map { Sample.ack(Sample.message($0 * 3)) } + [Sample.sent(100)])
        let second = (0..<100).flatMap { number -> [[UInt8]] in
            let message = Sample.message(number)
            return number % 2 == 0
                ? [Sample.open(message, after: 20)] : [Sample.ack(message, after: 20), Sample.ack(message, after: 30)]
        }
        try store.load(RecordList(second), hub: 2) { $0.batchRecordsMax = recordsMax }
        // Known ones: 0, 3 … 99 and 102 … 117; opens of 0, 2 … 98; acks of 1, 3 … 99, twice.
        #expect(try store.row() == [100, 73, 33, 50, 140, 50])
        #expect(try store.integer("select count(*) from ackhub.message") == 106)
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 123)
        #expect(try store.differences() == [])
    }

    /// Messages of one batch that were sent today, on days before, and on days that get no partition.
    @Test func messagesOfManyDaysAreFound() throws {
        let store = try Store()
        let day: UInt64 = 86_400_000_000_000
        let messages = ([0, 1, 2, 59, 60, 3_000, 9_000] as [UInt64]).flatMap { daysAgo in
            (1...3).map { Sample.message(Int(daysAgo) * 10 + $0, sentAt: Sample.launchedAt - daysAgo * day) }
        }
        try store.load(messages.enumerated().filter { $0.offset % 3 != 1 }.map { Sample.ack($0.element) })
        try store.load(messages.map { Sample.ack($0, after: 20) } + messages.map { Sample.open($0, after: 30) }, hub: 2)
        #expect(try store.integer("select count(*) from ackhub.message") == 21)
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 42)
        #expect(try store.differences() == [])
    }

    /// Another hub stores the message after this one has asked for it: the unique index tells, and it is asked again.
    @Test func messageThatComesMeanwhileIsKnown() throws {
        let store = try Store()
        let message = Sample.message(1)
        // The other hub's transaction: it has the message, and has not committed.
        let other = try store.makeConnection()
        try store.load([Sample.ack(message)])
        try store.connection.execute("create table moved as select * from ackhub.message; delete from ackhub.message")
        try other.execute("begin; insert into ackhub.message select * from moved")

        let source = RecordList([
            Sample.ack(message, after: 9), Sample.open(message, after: 9), Sample.ack(Sample.message(2)),
        ])
        let running = store.makeLoader(hub: 2)
        running.start(source)
        defer { running.stop() }
        #expect(
            try waitUntil {
                try store.integer(
                    """
                    select count(*) from pg_stat_activity where datname = current_database()
                        and wait_event = 'transactionid'
                    """) == 1
            })
        try other.execute("commit")
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 2, 0, 1, 3, 1])
        #expect(running.log("warning") == [] && running.log("error") == [] && running.loader.metrics.retries == 0)
        #expect(try store.differences() == [])
    }

    /// A unique index that is none of ours refuses a record: that is the record's fault, and the others are loaded.
    @Test func foreignUniqueIndexIsNoEndlessLoop() throws {
        let store = try Store()
        try store.load([Sample.sent(1)])
        try store.connection.execute(
            """
            do $$ declare part regclass; begin
                for part in select inhrelid from pg_inherits where inhparent = 'ackhub.message'::regclass loop
                    execute format('create unique index on %s (channel) where subscription_id in (7, 8)', part);
                end loop;
            end $$
            """)
        var one = Sample.message(7)
        var two = Sample.message(8)
        (one.subscription, two.subscription) = (7, 8)
        try store.load([Sample.ack(one), Sample.ack(Sample.message(1)), Sample.ack(two)], hub: 2)
        #expect(try store.integer("select count(*) from ackhub.quarantine where sql_state = '23505'") == 1)
        #expect(try store.row()[1] == 2)
        #expect(try store.differences() == [])
    }
}
