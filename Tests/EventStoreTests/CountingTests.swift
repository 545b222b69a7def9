import MessageIDs
import TestSupport
import Testing

@testable import EventStore

/// What the reports say after events of every order and class.
@Suite(.blocking)
struct CountingTests {
    /// An open URL fetched 86 times in a burst is one open of 86.
    @Test func burstOfOpensIsOneOpen() throws {
        let store = try Store()
        let message = Sample.message(1)
        try store.load([Sample.sent(1), Sample.ack(message)] + (0..<86).map { _ in Sample.open(message) })
        #expect(try store.row() == [1, 1, 0, 1, 1, 86])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first and kind = 2") == 1)
        #expect(try store.differences() == [])
    }

    /// The same event again after a minute, hours and a day, with a new loader each time, is no new open.
    @Test func replayOverDaysAndRestartsIsOneOpen() throws {
        let store = try Store()
        let source = RecordList()
        for seconds: UInt64 in [0, 60, 7200, 29 * 3600] {
            source.append([Sample.open(Sample.message(1), after: seconds)])
            try store.load(source)
        }
        #expect(try store.row() == [0, 0, 1, 1, 0, 4])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 1)
        #expect(try store.differences() == [])
    }

    /// One reader who opens ten times is one of ten.
    @Test func rateCountsMessagesNotOpens() throws {
        let store = try Store()
        let acks = (1...10).map { Sample.ack(Sample.message($0)) }
        try store.load([Sample.sent(10)] + acks + (0..<10).map { _ in Sample.open(Sample.message(3)) })
        let totals = try #require(try store.report()).totals
        #expect(totals.openRate == 0.1)
        #expect(totals.opensTotal == 10)
        #expect(totals.deliveryRate == 1)
    }

    /// More opens than sends are known: rates are withheld, never above 1.
    @Test func moreDeliveredThanSentWithholdsTheRate() throws {
        let store = try Store()
        try store.load([Sample.sent(1), Sample.open(Sample.message(1)), Sample.open(Sample.message(2))])
        let totals = try #require(try store.report()).totals
        #expect(totals.deliveryRate == nil)
        #expect(totals.sentIncomplete)
        #expect(totals.openRate == 1)
    }

    /// An open without an ack counts as derived; an ack that comes later takes that back where it was counted.
    @Test func ackAfterOpenTakesDerivedBack() throws {
        let store = try Store()
        let source = RecordList([Sample.open(Sample.message(1), after: 20, eventClass: .proxy)])
        try store.load(source)
        #expect(try store.row() == [0, 0, 1, 1, 0, 1])
        source.append([Sample.ack(Sample.message(1), after: 3600)])
        try store.load(source)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.integer("select count(*) from ackhub.launch_bucket where derived <> 0") == 0)
        #expect(try store.differences() == [])
    }

    /// Ack and open of one message in one batch, in either order, leave nothing derived.
    @Test(arguments: [true, false]) func ackAndOpenTogetherDeriveNothing(_ ackFirst: Bool) throws {
        let store = try Store()
        let records = [Sample.ack(Sample.message(1)), Sample.open(Sample.message(1))]
        try store.load(ackFirst ? records : records.reversed())
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        #expect(try store.differences() == [])
    }

    /// Opens by machines are stored and counted by class, but are no opens; the first person's open is the first.
    @Test func machineOpensDoNotCount() throws {
        let store = try Store()
        let message = Sample.message(1)
        let source = RecordList([
            Sample.open(message, after: 1, eventClass: .bot), Sample.open(message, after: 2, eventClass: .prefetch),
        ])
        try store.load(source)
        #expect(try store.row() == [0, 0, 0, 0, 0, 0])
        source.append([
            Sample.open(message, after: 3, eventClass: .suspect), Sample.open(message, after: 4, eventClass: .human),
            Sample.event(.ack, message, after: 5, eventClass: .bot),
        ])
        try store.load(source)
        #expect(try store.row() == [0, 1, 0, 1, 1, 1])
        let classes = try #require(try store.report()).byClass
        #expect(classes.map(\.eventClass) == [.human, .prefetch, .bot, .suspect])
        #expect(classes.map(\.opensTotal) == [1, 1, 1, 1])
        #expect(classes.map(\.acksTotal) == [0, 0, 1, 0])
        #expect(try store.texts("select class::text from ackhub.event_log where is_first and kind = 2") == ["0"])
        #expect(try store.differences() == [])
    }

    /// Duplicates inside a batch and across batches: one first event of each kind.
    @Test(arguments: [1, 2, 20_000]) func duplicatesInAndAcrossBatchesCountOnce(_ recordsMax: Int) throws {
        let store = try Store()
        let messages = (1...5).map { Sample.message($0) }
        let records = messages.flatMap { [Sample.ack($0), Sample.ack($0), Sample.open($0), Sample.ack($0)] }
        let source = RecordList(records + records.reversed())
        try store.load(source) { $0.batchRecordsMax = recordsMax }
        #expect(try store.row() == [0, 5, 0, 5, 30, 10])
        #expect(try store.integer("select count(*) from ackhub.event_log where is_first") == 10)
        #expect(try store.differences() == [])
    }

    /// Test sends are counted apart and only shown when asked for.
    @Test func testSendsStandApart() throws {
        let store = try Store()
        try store.load([
            Sample.sent(2), Sample.sent(1, isTest: true), Sample.ack(Sample.message(1)),
            Sample.ack(Sample.message(2, isTest: true)),
        ])
        #expect(try store.row() == [2, 1, 0, 0, 1, 0])
        let all = try #require(try store.report(includeTests: true)).totals
        #expect((all.sent, all.acked) == (3, 2))
        #expect(try store.differences() == [])
    }

    /// Each event counts in the bucket of its receipt: minutes on the launch's day, quarter hours after.
    @Test func bucketsAreMinutesThenQuarterHours() throws {
        let store = try Store()
        try store.load([
            Sample.ack(Sample.message(1), after: 61), Sample.ack(Sample.message(2), after: 86_399),
            Sample.ack(Sample.message(3), after: 86_400 + 660),
        ])
        let buckets = try store.texts(
            "select to_char(bucket_at at time zone 'UTC', 'DD HH24:MI:SS') from ackhub.launch_bucket order by bucket_at"
        )
        #expect(buckets == ["01 12:01:00", "02 11:59:00", "02 12:00:00"])
        #expect(try store.differences() == [])
    }
}
