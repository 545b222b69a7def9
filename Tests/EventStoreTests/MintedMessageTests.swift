import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Messages that the hub knows before any event of them.
@Suite(.blocking)
struct MintedMessageTests {
    private static let state = "select string_agg(state::text, ',' order by subscription_id) from ackhub.message"

    private static func find(_ message: SendMessageID, in store: Store) throws -> MessageReport? {
        try Reports.message(account: message.account, key: message.messageKey, on: store.connection)
    }

    /// A message without events is found with all its fields, as nothing that happened; it is no difference.
    @Test(arguments: Privacy.allCases) func mintedMessageIsFoundWithoutEvents(_ privacy: Privacy) throws {
        let store = try Store()
        let message = Sample.message(1, provider: 30, isTest: true, privacy: privacy).asMinted
        let running = store.makeLoader()
        let source = RecordList([Sample.minted(message)])
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        let found = try #require(try Self.find(message, in: store))
        #expect(found.message == message && found.key == message.messageKey)
        #expect(found.ackedAt == nil && found.openedAt == nil && found.events == [])
        #expect(try store.texts(Self.state) == ["0"])
        #expect(running.loader.metrics.messagesStored == 1 && running.loader.metrics.events == 0)
        #expect(try store.integer("select count(*) from ackhub.launch_total") == 0)
        #expect(try store.differences() == [])
        #expect(try Reconciliation.run(account: nil, on: store.connection).messages == 1)
    }

    /// A row that is there stays as it is, and a message that is minted again is there once.
    @Test func knownMessageIsNotChanged() throws {
        let store = try Store()
        let message = Sample.message(1)
        try store.load([Sample.ack(message), Sample.open(message)])
        let before = try store.texts("select m::text || xmin::text from ackhub.message m")
        try store.load([Sample.minted(message), Sample.minted(message)], hub: 2)
        #expect(try store.texts("select m::text || xmin::text from ackhub.message m") == before)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.differences() == [])
    }

    /// Events find the row of a message that was minted before, and count as they would without.
    @Test func laterEventsCountOnTheMintedRow() throws {
        let store = try Store()
        let message = Sample.message(1)
        let source = RecordList([Sample.minted(message)])
        try store.load(source)
        source.append([Sample.open(message)])
        try store.load(source)
        #expect(try store.row() == [0, 0, 1, 1, 0, 1])
        source.append([Sample.ack(message)])
        try store.load(source)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.integer("select count(*) from ackhub.message") == 1)
        #expect(try store.differences() == [])
    }

    /// Minted and its events in one batch, in every order, beside other messages: one row, counted as ever.
    @Test(arguments: [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0]]) func mintedMeetsItsEventsInABatch(
        _ order: [Int]
    ) throws {
        let store = try Store()
        let records = (1...3).flatMap { number in
            let message = Sample.message(number)
            let own = [Sample.minted(message), Sample.ack(message), Sample.open(message)]
            return order.map { own[$0] } + [Sample.minted(Sample.message(100 + number))]
        }
        let running = store.makeLoader()
        let source = RecordList(records)
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(running.loader.metrics.batches == 1)
        #expect(try store.row() == [0, 3, 0, 3, 3, 3])
        #expect(try store.texts(Self.state) == ["3,3,3,0,0,0"])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 6)
        #expect(try store.differences() == [])
    }

    /// One key is two messages in two accounts: each has its row, and events of one are not the other's.
    @Test func accountsStandApart() throws {
        let store = try Store()
        let (one, other) = (Sample.message(1), Sample.message(1, account: 2))
        try store.load([Sample.minted(other), Sample.ack(one), Sample.minted(one)])
        #expect(try store.integer("select count(*) from ackhub.message where state = 1 and account_id = 1") == 1)
        #expect(try store.integer("select count(*) from ackhub.message where state = 0 and account_id = 2") == 1)
    }

    /// A COMMIT whose fate is unknown stores each message once.
    @Test(arguments: [[CommitCutter.Cut.after], [.before], [.after, .before, .after]])
    func lostCommitAnswerStoresOnce(_ cuts: [CommitCutter.Cut]) throws {
        let store = try Store()
        _ = try Partitions.makeAhead(now: Sample.launchedAt, daysAhead: 0, on: store.connection)
        let cutter = CommitCutter(socketFolder: TestPostgres.shared.socketFolder, cuts: cuts)
        defer { cutter.stop() }
        let source = RecordList(
            (1...20).flatMap { [Sample.minted(Sample.message($0)), Sample.ack(Sample.message($0))] })
        let running = store.makeLoader {
            $0.postgres = PostgresConfiguration(connection: cutter.url(database: store.database.name))
            $0.batchRecordsMax = 7
        }
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(cutter.cutsLeft == 0)
        #expect(try store.integer("select count(*) from ackhub.message") == 20)
        #expect(try store.row() == [0, 20, 0, 0, 20, 0])
        #expect(try store.differences() == [])
    }

    /// Two hubs with the same messages in opposite order, in small batches: one row each, no deadlock.
    @Test func overlappingHubsStoreOnce() throws {
        let store = try Store()
        let records = (0..<100).flatMap { number in
            [Sample.minted(Sample.message(number % 40)), Sample.ack(Sample.message(number % 50))]
        }
        let sources = [RecordList(records), RecordList(records.reversed())]
        let loaders = (0..<2).map { hub in store.makeLoader(hub: UInt128(hub)) { $0.batchRecordsMax = 13 } }
        for (loader, source) in zip(loaders, sources) { loader.start(source) }
        defer { for loader in loaders { loader.stop() } }
        for (loader, source) in zip(loaders, sources) { try loader.waitUntilLoaded(source.end) }
        #expect(loaders.flatMap { $0.log("warning") } == [])
        #expect(try store.integer("select count(*) from ackhub.message") == 50)
        #expect(try store.row() == [0, 50, 0, 0, 200, 0])
        #expect(try store.differences() == [])
    }

    /// The send day's partition is made when the day is near to now; else the default partition has the message.
    @Test func sendDaysNearNowArePartitions() throws {
        let store = try Store()
        let days: [(Int64, isNear: Bool)] = [(-101, false), (-100, true), (0, true), (4, true), (5, false)]
        let messages = days.enumerated().map { number, day in
            let sentAt = UInt64(Int64(Sample.launchedAt) + day.0 * Int64(Sample.day))
            return Sample.message(number, sentAt: sentAt)
        }
        try store.load(messages.map(Sample.minted) + [Sample.minted(Sample.message(9, launchedAt: .max, sentAt: .max))])
        let partitions = try store.texts(
            "select tableoid::regclass::text from ackhub.message where subscription_id < 1009 order by subscription_id")
        #expect(partitions.map { $0 != "ackhub.message_default" } == days.map(\.isNear))
        #expect(try store.integer("select count(*) from ackhub.message_default") == 3)
        #expect(try store.differences() == [])
    }

    /// A message that the database refuses is put aside alone, byte for byte; its neighbours of all types are loaded.
    @Test func poisonIsPutAsideAlone() throws {
        let store = try Store()
        try store.connection.execute(
            """
            create function refuse() returns trigger language plpgsql as
                $$ begin if new.subscription_id = 1005 then raise exception 'poison'; end if; return new; end $$;
            create trigger refuse before insert on ackhub.message for each row execute function refuse();
            """)
        let records = (0..<10).map { Sample.minted(Sample.message($0)) }
        let source = RecordList(records + [Sample.ack(Sample.message(3)), Sample.sent(4)])
        let running = store.makeLoader()
        running.start(source)
        defer { running.stop() }
        try running.waitUntilLoaded(source.end)
        #expect(try store.integer("select count(*) from ackhub.message") == 9)
        #expect(try store.row() == [4, 1, 0, 0, 1, 0])
        #expect(try store.connection.query("select record from ackhub.quarantine").bytes(0, 0) == records[5])
        #expect(running.loader.metrics.quarantined == 1 && running.loader.metrics.messagesStored == 9)
        #expect(try store.differences() == [])
    }
}
