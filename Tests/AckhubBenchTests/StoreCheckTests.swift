import EventStore
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import ackhub_bench

/// The comparison of what was answered with what a real database holds.
@Suite(.blocking)
struct StoreCheckTests {
    private static let launch = LaunchID(account: 3, campaign: 4, launchedAt: 1_772_366_400_123_456_789)
    private static let launches = LaunchRange(first: launch, count: 1)

    /// A migrated database with 10 messages of the launch, each acked, the first 4 also opened, one of them twice; and an
    /// ack of another launch that must not be counted.
    private static func database() throws -> (database: TestDatabase, connection: PostgresConnection) {
        let database = try TestPostgres.shared.makeDatabase()
        let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
        _ = try Migrations.apply(on: connection)
        let launch = LinkLaunch(launches: Self.launches, acks: 1, opens: 1)
        try connection.execute("select ackhub.ensure_event_day('2026-03-01')")
        for number in 0..<10 {
            let message = launch.message(number)
            try Self.insert(message, "ack", isFirst: true, on: connection)
            if number < 4 { try Self.insert(message, "open", isFirst: true, on: connection) }
        }
        try Self.insert(launch.message(0), "open", isFirst: false, on: connection)
        let other = LinkLaunch(
            launches: LaunchRange(
                first: LaunchID(account: 3, campaign: 4, launchedAt: Self.launch.launchedAt + 1), count: 1),
            acks: 1, opens: 1)
        try Self.insert(other.message(0), "ack", isFirst: true, on: connection)
        try connection.execute(
            """
            insert into ackhub.launch_total
            select 3, 4, launched_at, launched_at_nanos, 1, 2, 1, false, 0, 0, 10, 0, 4, 10, 5
            from ackhub.message where launched_at_nanos = 789 limit 1
            """)
        return (database, connection)
    }

    private static func insert(
        _ message: SendMessageID, _ kind: String, isFirst: Bool, on connection: PostgresConnection
    ) throws {
        let time = { (nanoseconds: UInt64) in PostgresValue.timestamp(Int64(nanoseconds / 1_000)) }
        try connection.query(
            """
            insert into ackhub.message values ($1, $2, $3, 1, 1, $4, $5, $6, null, null, 0, $7, 2, 1, 0, 0, false)
            on conflict do nothing
            """,
            [
                .int64(message.account), .uuid(message.messageKey.value), .int64(message.campaign),
                .uuid(message.profile.value), time(message.sentAt), time(message.launchedAt),
                .int16(Int16(message.launchedAt % 1_000)),
            ])
        try connection.query(
            "insert into ackhub.event_log values ($1, $2, $3, null, $4, 1, 0, 0, $5, null, null)",
            [
                .int64(message.account), .uuid(message.messageKey.value), time(message.sentAt + 60_000_000_000),
                .int16(kind == "ack" ? 1 : 2), .bool(isFirst),
            ])
    }

    private static func tally() -> LoadTally {
        var tally = LoadTally()
        tally.kinds[0] = KindTally(answered: 10, distinctAnswered: 10)
        tally.kinds[1] = KindTally(answered: 5, distinctAnswered: 4)
        return tally
    }

    private static func differences(_ tally: LoadTally, _ database: TestDatabase) throws -> [String] {
        let check = try StoreCheck(Self.launches, database: database.url, patienceSeconds: 1)
        return try check.run(tally, loadedAt: try check.waitUntilLoaded(tally)).differences
    }

    /// What agrees has no difference, and is counted.
    @Test func agreesWithWhatIsThere() throws {
        let (database, connection) = try Self.database()
        let stored = try StoredCounts(of: Self.launches, on: connection)
        #expect(stored.acks == StoredCounts.OfKind(events: 10, distinct: 10, firsts: 10, total: 10, unique: 10))
        #expect(stored.opens == StoredCounts.OfKind(events: 5, distinct: 4, firsts: 4, total: 5, unique: 4))
        #expect(try Self.differences(Self.tally(), database) == [])
    }

    /// Of several launches everything is counted together: the rows, and the counters.
    @Test func countsAllLaunches() throws {
        let (database, connection) = try Self.database()
        defer { withExtendedLifetime(database) {} }
        try connection.execute(
            """
            insert into ackhub.launch_total
            select 3, 4, launched_at, launched_at_nanos, 1, 2, 1, false, 0, 0, 1, 0, 0, 1, 0
            from ackhub.message where launched_at_nanos = 790 limit 1
            """)
        let both = try StoredCounts(of: LaunchRange(first: Self.launch, count: 2), on: connection)
        #expect(both.acks == StoredCounts.OfKind(events: 11, distinct: 11, firsts: 11, total: 11, unique: 11))
        #expect(both.opens == StoredCounts.OfKind(events: 5, distinct: 4, firsts: 4, total: 5, unique: 4))
        let first = try StoredCounts(of: Self.launches, on: connection)
        #expect(first.acks.events == 10 && first.acks.total == 10)
        var other = Self.launch
        other.launchedAt += 2
        let none = try StoredCounts(of: LaunchRange(first: other, count: 1_000), on: connection)
        #expect(none.acks == StoredCounts.OfKind() && none.opens == StoredCounts.OfKind())
    }

    /// The launches that reports are asked for, those with the most events first, to the nanosecond.
    @Test func findsTheLargestLaunches() throws {
        let (database, connection) = try Self.database()
        defer { withExtendedLifetime(database) {} }
        try connection.execute(
            """
            insert into ackhub.launch_total
            select 3, 9, launched_at, 790, 1, 2, 1, false, 0, 0, 1, 0, 0, 20, 0 from ackhub.launch_total
            """)
        var larger = Self.launch
        larger.campaign = 9
        larger.launchedAt += 1
        #expect(try StoredLaunches.largest(5, of: 3, on: connection) == [larger, Self.launch])
        #expect(try StoredLaunches.largest(1, of: 3, on: connection) == [larger])
        #expect(try StoredLaunches.largest(5, of: 4, on: connection) == [])
    }

    /// Each row or figure that is missing, too many or not true is found.
    @Test(arguments: [
        ("delete from ackhub.event_log where kind = 2 and not is_first", "opens, rows of event_log: 4 are stored"),
        ("delete from ackhub.event_log where kind = 2 and is_first", "opens, messages in event_log: 1 are stored"),
        ("insert into ackhub.event_log select * from ackhub.event_log where kind = 1", "acks, rows of event_log: 20"),
        ("update ackhub.event_log set is_first = false where kind = 1", "acks, first events in event_log: 0"),
        ("update ackhub.event_log set kind = 1", "opens, rows of event_log: 0 are stored, 5 were answered"),
        ("delete from ackhub.message", "acks, rows of event_log: 0 are stored, 10 were answered"),
        ("update ackhub.launch_total set acks_total = 11", "acks, events by the counters: 11"),
        ("update ackhub.launch_total set acked = 9", "acks, unique events by the counters: 9"),
        ("update ackhub.launch_total set opens_total = 6", "opens, events by the counters: 6"),
        ("update ackhub.launch_total set opened = 5", "opens, unique events by the counters: 5"),
    ]) func findsADifference(tampering: String, difference: String) throws {
        let (database, connection) = try Self.database()
        #expect(try connection.query(tampering).affected > 0)
        let found = try Self.differences(Self.tally(), database)
        #expect(found.contains { $0.hasPrefix(difference) }, "\(found)")
    }

    /// A backlog that is never loaded is told, after the patience.
    @Test func tellsThatTheBacklogStays() throws {
        let (database, connection) = try Self.database()
        try connection.execute("update ackhub.launch_total set acks_total = 9")
        let found = try Self.differences(Self.tally(), database)
        #expect(found.first == "the backlog was not loaded within 1 s")
    }

    /// Requests whose answers did not come may be stored or not: anything between, and nothing beyond.
    @Test(arguments: [(7, 7, 1), (8, 8, 0), (9, 9, 0), (10, 9, 0), (11, 9, 1), (10, 10, 1)] as [(Int64, Int64, Int)])
    func allowsForUnknownRequests(events: Int64, distinct: Int64, differences: Int) {
        let tally = KindTally(answered: 8, distinctAnswered: 8, unknown: 2, distinctUnknown: 1)
        let stored = StoredCounts.OfKind(events: events, distinct: distinct, firsts: 8, total: 8, unique: 8)
        let found = StoreCheck.differences(.ack, tally, stored)
        #expect(found.contains { $0.contains("rows of event_log") } == !(8...10).contains(events))
        #expect(found.contains { $0.contains("messages in event_log") } == !(8...9).contains(distinct))
        #expect(found.isEmpty == (differences == 0))
    }

    /// A database that is not there is found before a run, not after.
    @Test func refusesAWrongDatabase() {
        #expect(throws: PostgresError.self) {
            try StoreCheck(Self.launches, database: "host=127.0.0.1 port=1 user=nobody", patienceSeconds: 1)
        }
    }
}
