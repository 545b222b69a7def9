import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Events that name a known message by its key alone.
@Suite(.blocking)
struct KeyedEventTests {
    private static let parked = "select count(*) from ackhub.unmatched_event"

    private static func both(_ message: SendMessageID) -> [[UInt8]] {
        [Sample.keyed(.ack, message.messageKey), Sample.keyed(.open, message.messageKey, after: 20)]
    }

    /// Minted and reported in one batch, in either order, beside the same message's links: counted as any event is.
    @Test(arguments: [true, false]) func eventsMeetTheirMessageInABatch(_ mintedFirst: Bool) throws {
        let store = try Store()
        let records = (1...3).flatMap { number in
            let message = Sample.message(number, provider: 30)
            return [Sample.minted(message)] + Self.both(message)
        }
        let link = Sample.message(1, provider: 30)
        let running = store.makeLoader()
        let source = RecordList((mintedFirst ? records : records.reversed()) + [Sample.open(link)])
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.batches == 1 && running.loader.metrics.events == 7)
        #expect(try store.row() == [0, 3, 0, 3, 3, 4])
        #expect(
            try store.integer("select count(*) from ackhub.event where is_first and provider = 'carillon-android'") == 6
        )
        #expect(try store.integer("select count(*) from ackhub.event where dialect = 'carillon'") == 6)
        #expect(try store.integer(Self.parked) == 0)
        #expect(try store.differences() == [])
    }

    /// The row that an earlier batch wrote, minted or by an event, gives all fields back, nanoseconds and flags too.
    @Test(arguments: [true, false]) func eventsFindTheRow(_ isMinted: Bool) throws {
        let store = try Store()
        let messages = Privacy.allCases.enumerated().flatMap { number, privacy in
            [false, true].map { isTest in
                Sample.message(
                    10 * number + (isTest ? 1 : 0), sentAt: Sample.launchedAt + 1_001 + UInt64(number), isTest: isTest,
                    privacy: privacy
                ).asMinted
            }
        }
        try store.load(messages.map { isMinted ? Sample.minted($0) : Sample.ack($0) })
        let running = store.makeLoader(hub: 2)
        let source = RecordList(messages.map { Sample.keyed(.open, $0.messageKey) })
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.unmatchedParked == 0 && running.loader.metrics.events == 8)
        let report = try #require(try store.report(includeTests: true)).totals
        #expect((report.opened, report.opensTotal, report.derived) == (8, 8, isMinted ? 8 : 0))
        #expect(try #require(try store.report()).totals.opened == 4)
        for message in messages {
            let found = try #require(
                try Reports.message(account: 1, key: message.messageKey, on: store.connection))
            #expect(found.message == message && found.events.count == (isMinted ? 1 : 2))
        }
        #expect(try store.differences() == [])
    }

    /// The event counts in the bucket of its receipt, with its class and its device's time.
    @Test func receiptAndClassAreTheEvents() throws {
        let store = try Store()
        let message = Sample.message(1)
        try store.load([
            Sample.minted(message),
            Sample.keyed(.open, message.messageKey, after: 86_400 + 660, eventClass: .bot) {
                $0.deviceAt = Sample.launchedAt + 61 * Sample.second
                $0.flags = .deviceTimeClamped
            },
        ])
        #expect(
            try store.texts(
                "select to_char(bucket_at at time zone 'UTC', 'DD HH24:MI') || class from ackhub.launch_bucket")
                == ["02 12:003"])
        #expect(
            try store.texts(
                "select to_char(device_at at time zone 'UTC', 'HH24:MI') || flags || is_first from ackhub.event_log")
                == ["12:012false"])
        #expect(try store.row() == [0, 0, 0, 0, 0, 0])
        #expect(try store.differences() == [])
    }

    /// What the message's privacy forbids is not stored, whether its row is there or it is minted in the batch.
    @Test(
        arguments: [
            (.keepAddress, "192.0.2.65 agent"), (.maskAddress, "192.0.2.0 agent"), (.dropAddress, "- -"),
            (.anonymous, "- -"),
        ] as [(Privacy, String)], [true, false])
    func privacyIsApplied(_ expected: (Privacy, String), _ isKnown: Bool) throws {
        let store = try Store()
        let message = Sample.message(1, privacy: expected.0).asMinted
        let event = Sample.keyed(.ack, message.messageKey, userAgent: Array("agent".utf8))
        let source = RecordList([Sample.minted(message)])
        if isKnown { try store.load(source) }
        source.append([event])
        try store.load(source)
        let stored = "select coalesce(host(address), '-') || ' ' || coalesce(user_agent, '-') from ackhub.event_log"
        #expect(try store.texts(stored) == [expected.1])
    }

    /// An unknown key, a known one of another account, a row that does not make its key: counted nowhere.
    @Test func unknownMessagesCountNowhere() throws {
        let store = try Store()
        let (known, tampered) = (Sample.message(1), Sample.message(2))
        try store.load([Sample.minted(known), Sample.minted(tampered)])
        try store.connection.execute("update ackhub.message set resource_id = 6 where subscription_id = 1002")
        let running = store.makeLoader(hub: 2) { $0.unmatchedSweepMilliseconds = 1 }
        let source = RecordList([
            Sample.keyed(.open, Sample.message(3).messageKey), Sample.keyed(.open, account: 2, known.messageKey),
            Sample.keyed(.open, tampered.messageKey), Sample.keyed(.open, MessageKey(0)),
        ])
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        // Whatever is loaded later comes behind a sweep: it finds none of them.
        source.append([Sample.keyed(.ack, known.messageKey)])
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.unmatchedParked == 4 && running.loader.metrics.unmatchedMatched == 0)
        #expect(try store.integer(Self.parked) == 4)
        #expect(try store.integer("select count(*) from ackhub.event_log") == 1)
        #expect(try store.row() == [0, 1, 0, 0, 1, 0])
        #expect(try store.integer("select sum(acked + opens_total)::bigint from ackhub.launch_total") == 1)
        #expect(try store.differences() == [])
    }

    /// A COMMIT whose fate is unknown counts, and parks, once.
    @Test(arguments: [[CommitCutter.Cut.after], [.before], [.after, .before, .after, .after, .before]])
    func lostCommitAnswerCountsOnce(_ cuts: [CommitCutter.Cut]) throws {
        let store = try Store()
        _ = try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection)
        let cutter = CommitCutter(socketFolder: TestPostgres.shared.socketFolder, cuts: cuts)
        defer { cutter.stop() }
        let source = RecordList(
            (1...20).flatMap { number in
                let message = Sample.message(number)
                return [Sample.minted(message)] + Self.both(message)
                    + [Sample.keyed(.open, Sample.message(100 + number).messageKey)]
            })
        let running = store.makeLoader {
            $0.postgres = PostgresConfiguration(connection: cutter.url(database: store.database.name))
            $0.batchRecordsMax = 7
        }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(cutter.cutsLeft == 0)
        #expect(try store.row() == [0, 20, 0, 20, 20, 20])
        #expect(try store.integer("select count(*) from ackhub.event_log") == 40)
        #expect(try store.integer(Self.parked) == 20)
        #expect(try store.differences() == [])
    }

    /// A record that the database refuses is put aside alone, byte for byte; neighbours are loaded and parked.
    @Test func poisonIsPutAsideAlone() throws {
        let store = try Store()
        try store.connection.execute(
            """
            create function refuse() returns trigger language plpgsql as
                $$ begin if new.user_agent = 'poison' then raise exception 'poison'; end if; return new; end $$;
            create trigger refuse before insert on ackhub.event_log for each row execute function refuse();
            """)
        let message = Sample.message(1)
        let poison = Sample.keyed(.ack, message.messageKey, userAgent: Array("poison".utf8))
        let source = RecordList(
            [Sample.minted(message)] + Self.both(message) + [poison]
                + [Sample.keyed(.ack, Sample.message(2).messageKey)])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.connection.query("select record from ackhub.quarantine").bytes(0, 0) == poison)
        #expect(try store.integer(Self.parked) == 1)
        #expect(running.loader.metrics.quarantined == 1)
        #expect(try store.differences() == [])
    }
}
