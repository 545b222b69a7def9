import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Reports that name themselves: a client that did not get its answer sends the same one again.
@Suite(.blocking)
struct RepeatedReportTests {
    private static let day: UInt64 = 86_400

    /// Neither totals nor anything else counts a repeat, in its batch or a later one. A name is its message's, of one kind.
    @Test(arguments: [1, 2, 3, 20_000]) func repeatCountsNowhere(_ recordsMax: Int) throws {
        let store = try Store()
        let (one, two) = (Sample.message(1), Sample.message(2))
        let reports = [
            Sample.report(7, .ack, one), Sample.report(7, .ack, one, after: 11), Sample.report(7, .open, one),
            Sample.report(7, .open, one), Sample.report(8, .open, one), Sample.report(7, .ack, two),
            Sample.report(7, .ack, Sample.message(1, account: 2)),
        ]
        let source = RecordList(reports + reports.reversed())
        let running = store.makeLoader { $0.batchRecordsMax = recordsMax }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 2, 0, 1, 2, 2])
        #expect(try store.integer("select count(*) from ackhub.event_log") == 5)
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 4)
        #expect(running.loader.metrics.events == 5 && running.loader.metrics.repeatedReports == 9)
        #expect(try store.differences() == [])
    }

    /// A report is looked for by its name, not among all events of its message: one message with very many must not hold up
    /// everybody's loading.
    @Test func costIsTheReportsNotTheMessages() throws {
        let store = try Store()
        let message = Sample.message(1)
        try store.load((0..<3_000).map { Sample.report(UInt128($0), .open, message) })
        try store.load((0..<3_000).map { _ in Sample.open(message) }, hub: 2)
        let plan = try store.texts(
            """
            explain (analyze, costs off, timing off)
            select 1 from unnest(array(select message_key from ackhub.message), array[7::bigint::text::uuid]) as k (key, report)
            join ackhub.event_log e on e.message_key = k.key and e.report = k.report
            """.replacing("7::bigint::text::uuid", with: "'00000000-0000-0000-0000-000000000007'::uuid"))
        #expect(plan.contains { $0.contains("_message_key_report_idx") }, "\(plan)")
        #expect(!plan.contains { $0.contains("Rows Removed") }, "\(plan)")
        // The same again, as the loader asks: every one is found.
        try store.load((0..<3_000).map { Sample.report(UInt128($0), .open, message) }, hub: 3)
        #expect(try store.integer("select count(*) from ackhub.event_log") == 6_000)
    }

    /// The first of a batch's equal reports is the one that is kept.
    @Test func firstOfABatchIsKept() throws {
        let store = try Store()
        try store.load([
            Sample.report(7, .open, Sample.message(1), after: 30, eventClass: .proxy),
            Sample.report(7, .open, Sample.message(1), after: 20),
        ])
        #expect(
            try store.texts(
                "select class || to_char(received_at at time zone 'UTC', ' HH24:MI:SS') from ackhub.event_log")
                == ["1 12:00:30"])
        #expect(try store.differences() == [])
    }

    /// Hits on links, and reports that a dialect can't tell apart, all count; so does a report that comes by two roads.
    @Test func whatHasNoNameCountsEachTime() throws {
        let store = try Store()
        let message = Sample.message(1)
        let unnamed = (0..<86).map { _ in Sample.open(message) }
        let named = (0..<86).map { Sample.report(7, .open, message, after: $0) }
        try store.load(unnamed + named)
        #expect(try store.row() == [0, 0, 1, 1, 0, 87])
        #expect(try store.integer("select count(*) from ackhub.event_log where report is null") == 86)
        #expect(
            try store.texts("select report::text from ackhub.event_log where report is not null")
                == ["00000000-0000-0000-0000-000000000007"])
        #expect(try store.differences() == [])
    }

    /// Hours and days later, at another hub each time, it is the same report; after 31 days it counts again, as no first one.
    @Test(arguments: EventKind.allCases) func repeatAfterDaysIsKnown(_ kind: EventKind) throws {
        let store = try Store()
        let days: [UInt64] = [0, 60, 29 * 3600, 30 * Self.day, 31 * Self.day]
        for (hub, seconds) in days.enumerated() {
            try store.load([Sample.report(7, kind, Sample.message(1), after: seconds)], hub: UInt128(hub))
        }
        let once: [Int64] = kind == .ack ? [0, 1, 0, 0, 1, 0] : [0, 0, 1, 1, 0, 1]
        #expect(try store.row() == once)
        try store.load([Sample.report(7, kind, Sample.message(1), after: 31 * Self.day + 1)], hub: 9)
        let twice: [Int64] = kind == .ack ? [0, 1, 0, 0, 2, 0] : [0, 0, 1, 1, 0, 2]
        #expect(try store.row() == twice)
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 1)
        #expect(try store.differences() == [])
    }

    /// Loaded before the report that it repeats, because that one's hub is behind, it is the one that stays.
    @Test func laterReceiptIsFoundToo() throws {
        let store = try Store()
        for seconds in [40 * Self.day, 10] {
            try store.load([Sample.report(7, .open, Sample.message(1), after: seconds)], hub: UInt128(seconds))
        }
        #expect(try store.row() == [0, 0, 1, 1, 0, 1])
        #expect(try store.differences() == [])
    }

    /// A sender's clock that is days ahead hides no repeat.
    @Test func messageSentAheadIsReportedOnce() throws {
        let store = try Store()
        let message = Sample.message(1, sentAt: Sample.launchedAt + 3 * Sample.day)
        for seconds in [10, 20, 2 * Self.day] {
            try store.load([Sample.report(7, .open, message, after: seconds)], hub: UInt128(seconds))
        }
        #expect(try store.row() == [0, 0, 1, 1, 0, 1])
    }

    /// From which receipt on a stored report is found: receipt of the repeat, send time, both in days.
    @Test(
        arguments: [
            (0, 0, -1), (1, 0, -1), (30, 0, -1), (31, 0, 0), (40, 0, 9), (40, 20, 19), (5, 6, -26), (5, 5, 4),
        ] as [(Int64, Int64, Int64)])
    func windowBegins(_ received: Int64, _ sent: Int64, _ begin: Int64) {
        let day: Int64 = 86_400_000_000
        let epoch = Int64(Sample.launchedAt / 1000)
        let sentAt = UInt64(epoch + sent * day) * 1000
        #expect(ReportWindow.begin(receivedAt: epoch + received * day, sentAt: sentAt) == epoch + begin * day)
    }

    /// The stored report does not count, its repeat would: nothing counts, and the next open is the first one. Beside it in
    /// the batch or behind it, with and without an ack, for several messages.
    @Test(arguments: [1, 2, 20_000], [true, false])
    func repeatOfAnotherClassIsNoFirstOpen(_ recordsMax: Int, _ isLast: Bool) throws {
        let store = try Store()
        let messages = (1...3).map { Sample.message($0) }
        try store.load(messages.map { Sample.report(7, .open, $0, eventClass: .prefetch) })
        #expect(try store.row() == [0, 0, 0, 0, 0, 0])
        let repeats = messages.map { Sample.report(7, .open, $0, after: 20) }
        let others = [
            Sample.open(messages[0], after: 30, eventClass: .proxy), Sample.ack(messages[1], after: 30),
            Sample.report(8, .open, Sample.message(4), after: 30),
        ]
        let source = RecordList(isLast ? others + repeats : repeats + others)
        try store.load(source, hub: 2) { $0.batchRecordsMax = recordsMax }
        #expect(try store.row() == [0, 1, 2, 2, 1, 2])
        #expect(
            try store.texts(
                "select class || dialect::text from ackhub.event_log where is_first and kind = 2 order by class desc")
                == ["11", "03"])
        #expect(
            try store.integer("select count(*) from ackhub.message where opened_at is not null and state & 2 <> 0") == 2
        )
        #expect(try store.integer("select count(*) from ackhub.message") == 4)
        #expect(try store.differences() == [])
    }

    /// A COMMIT whose fate is unknown, between a report and its repeats.
    @Test(arguments: [[CommitCutter.Cut.after], [.before], [.after, .before, .after, .after, .before]])
    func lostCommitAnswerCountsOnce(_ cuts: [CommitCutter.Cut]) throws {
        let store = try Store()
        _ = try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection)
        let cutter = CommitCutter(socketFolder: TestPostgres.shared.socketFolder, cuts: cuts)
        defer { cutter.stop() }
        let reports = (1...20).flatMap { number in
            let message = Sample.message(number)
            return [
                Sample.report(7, .open, message, eventClass: .bot), Sample.report(7, .ack, message),
                Sample.report(7, .open, message), Sample.report(8, .open, message),
            ]
        }
        let source = RecordList(reports + reports)
        let running = store.makeLoader {
            $0.postgres = PostgresConfiguration(connection: cutter.url(database: store.database.name))
            $0.batchRecordsMax = 7
        }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(cutter.cutsLeft == 0)
        #expect(try store.row() == [0, 20, 0, 20, 20, 20])
        #expect(try store.integer("select count(*) from ackhub.event_log") == 60)
        #expect(try store.differences() == [])
    }

    /// Looking for recent reports neither plans nor locks the days before: a database may hold hundreds.
    @Test func oldDaysAreLeftAlone() throws {
        let store = try Store()
        for day in 0..<5 {
            try store.load([Sample.ack(Sample.message(1), after: UInt64(day) * Self.day)], hub: UInt128(day))
        }
        let since = Int64(Sample.launchedAt / 1000) + 3 * 86_400_000_000
        let locked = try store.connection.transaction {
            try store.connection.query(
                EmbeddedSQL.reportFindStored,
                [
                    .int64Array([1]), .uuidArray([Sample.message(1).messageKey.value]), .int16Array([1]),
                    .uuidArray([7]), .timestampArray([since]),
                ])
            return try store.texts(
                """
                select c.relname::text from pg_locks l join pg_class c on c.oid = l.relation
                where l.pid = pg_backend_pid() and c.relname ~ '^event_log_[0-9]+$' order by 1
                """)
        }
        #expect(locked == ["event_log_20260304", "event_log_20260305"])
    }
}
