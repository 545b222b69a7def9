import Foundation
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Day partitions, ahead and on demand.
@Suite(.blocking)
struct PartitionTests {
    private static let partitions =
        "select relname::text from pg_class where relispartition and relkind = 'r' and relname like '%log_2%' or "
        + "relispartition and relkind = 'r' and relname like 'message_2%' order by 1"

    /// Yesterday to so many days ahead, of both tables, once.
    @Test func aheadIsYesterdayToTheLastDay() throws {
        let store = try Store()
        #expect(try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 2, on: store.connection) == 8)
        #expect(try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 2, on: store.connection) == 0)
        let days = ["20260228", "20260301", "20260302", "20260303"]
        #expect(try store.texts(Self.partitions) == days.map { "event_log_" + $0 } + days.map { "message_" + $0 })
    }

    /// Several hubs at once make each day once, and none fails.
    @Test func makersAtOnceShareTheWork() throws {
        let store = try Store()
        let database = store.database
        let made = Collected<Int>()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
                made.append([try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 3, on: connection)])
            } catch {
                Issue.record(error)
            }
        }
        #expect(made.all.reduce(0, +) == 10)
    }

    /// Events of any day are stored; messages of odd days go to the default partition.
    @Test func oddDaysAreMadeOnDemand() throws {
        let store = try Store()
        let message = Sample.message(1, sentAt: Sample.launchedAt - 30 * Sample.day)
        try store.load([
            Sample.ack(message), Sample.ack(message, after: 40 * 86_400), Sample.ack(Sample.message(2, sentAt: 0)),
            Sample.ack(Sample.message(3, launchedAt: .max, sentAt: .max)),
        ])
        let made = try store.texts(Self.partitions)
        #expect(made.contains("event_log_20260410") && made.contains("message_20260130"))
        #expect(try store.integer("select count(*) from ackhub.message_default") == 2)
        #expect(try store.integer("select count(*) from ackhub.event_log") == 4)
        #expect(try store.differences() == [])
    }

    /// A day's partition takes the day's rows out of the default, and what is counted stays counted once.
    @Test func newDayTakesItsRowsFromTheDefault() throws {
        let store = try Store()
        let day = StoreTime(nanoseconds: Sample.launchedAt).day - 200
        let begin = UInt64(day) * Sample.day
        let inside = [begin, begin + Sample.day - 1].enumerated().map { Sample.message($0.offset, sentAt: $0.element) }
        let outside = [begin - 1, begin + Sample.day].enumerated().map {
            Sample.message(10 + $0.offset, sentAt: $0.element)
        }
        let source = RecordList((inside + outside).map { Sample.ack($0) })
        try store.load(source)
        #expect(try store.integer("select count(*) from ackhub.message_default") == 4)
        #expect(try Partitions.ensureMessageDay(day, on: store.connection))
        #expect(try store.integer("select count(*) from ackhub.message_default") == 2)
        #expect(try store.integer("select count(*) from ackhub.message") == 4)
        source.append((inside + outside).map { Sample.ack($0) })
        try store.load(source)
        #expect(try store.row() == [0, 4, 0, 0, 8, 0])
        #expect(try store.differences() == [])
    }

    /// A reader that holds the default partition delays no loader and no maker: the day is left to another time.
    @Test func busyDefaultIsNoFailure() throws {
        let store = try Store()
        let reader = try store.makeConnection()
        try reader.execute("begin; select count(*) from ackhub.message_default")
        try store.load([Sample.ack(Sample.message(1))])
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
        #expect(try store.integer("select count(*) from ackhub.message_default") == 1)
        try reader.execute("rollback")
        #expect(try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection) == 2)
        #expect(try store.integer("select count(*) from ackhub.message_default") == 0)
    }

    /// A move that takes too long for the server's time-out is left to another time, and nothing of it is done.
    @Test func tooLongAMoveIsNoFailure() throws {
        let store = try Store()
        let day = StoreTime(nanoseconds: Sample.launchedAt).day - 200
        try store.load([Sample.ack(Sample.message(1, sentAt: UInt64(day) * Sample.day))])
        try store.connection.execute(
            """
            create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return old; end $$;
            create trigger slow before delete on ackhub.message_default for each row execute function slow();
            """)
        var configuration = PostgresConfiguration(connection: store.database.url)
        configuration.statementTimeoutMilliseconds = 100
        #expect(try !Partitions.ensureMessageDay(day, on: PostgresConnection(configuration)))
        #expect(try store.integer("select count(*) from ackhub.message_default") == 1)
        try store.connection.execute("drop trigger slow on ackhub.message_default")
        #expect(try Partitions.ensureMessageDay(day, on: store.connection))
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
    }

    /// Days ahead that can't be made now, for a lock that is held on, keep no batch of today waiting.
    @Test func busyTableStopsNoLoading() throws {
        let store = try Store()
        _ = try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection)
        let analyzer = try store.makeConnection()
        try analyzer.execute("begin; lock table ackhub.event_log in share update exclusive mode")
        let source = RecordList([Sample.ack(Sample.message(1))])
        let running = store.makeLoader { $0.partitionDaysAhead = 3 }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.retries == 0)
        #expect(running.log("warning").count == 1)
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
    }

    /// A partition that is dropped under a running loader is made again: no record is blamed.
    @Test func droppedDayIsMadeAgain() throws {
        let store = try Store()
        let source = RecordList([Sample.ack(Sample.message(1))])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        try store.connection.execute("drop table ackhub.event_log_20260301")
        source.append((2...5).map { Sample.ack(Sample.message($0)) })
        try running.waitUntilLoaded(source.end)
        #expect(try store.integer("select count(*) from ackhub.event_log") == 4)
        #expect(running.loader.metrics.quarantined == 0)
    }

    /// The least key of a time is the least that a message of that time can have.
    @Test(arguments: [0, 1_772_366_400_000_000, 18_446_744_073_709_551] as [Int64])
    func keyFloorIsBelowTheKeysOfItsTime(_ microseconds: Int64) throws {
        let store = try Store(migrated: true)
        let floor = try store.connection.query("select ackhub.message_key_floor($1)", [.timestamp(microseconds)]).uuid(
            0, 0)
        let message = Sample.message(1, sentAt: UInt64(microseconds) * 1000)
        #expect(floor <= message.messageKey.value)
        #expect(floor >> 80 == message.messageKey.value >> 80)
    }
}
