import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Sent counts: added up, and of a request counted once.
@Suite(.blocking)
struct SentCountTests {
    /// Requests that can't be repeated any more are forgotten; what was counted stays, and so do younger ones.
    @Test func oldRequestsAreForgotten() throws {
        let store = try Store()
        try store.load([Sample.sent(30, request: 1), Sample.sent(20, request: 2)])
        try store.connection.execute(
            """
            update ackhub.sent_request set updated_at = now() - interval '8 days' where counted = 30;
            insert into ackhub.mint_request (account_id, request, digest, first_sent_at, first_sent_at_nanos, created_at)
                select 1, gen_random_uuid(), '', now(), 0, now() - hours * interval '1 hour' from unnest(array[1, 23, 25, 99]) hours
            """)
        try store.load([Sample.sent(1)], hub: 2)
        #expect(try store.integer("select count(*) from ackhub.mint_request") == 2)
        #expect(try store.texts("select counted::text from ackhub.sent_request") == ["20"])
        #expect(try store.row()[0] == 51)
    }

    /// Counts without a request add up, by provider.
    @Test func countsAddUp() throws {
        let store = try Store()
        let source = RecordList([Sample.sent(10), Sample.sent(5), Sample.sent(7, provider: 3)])
        try store.load(source)
        source.append([Sample.sent(1)])
        try store.load(source)
        let report = try #require(try store.report())
        #expect(report.totals.sent == 23)
        #expect(report.byProvider.map(\.row.sent) == [16, 7])
        #expect(report.byProvider.map(\.provider.rawValue) == [1, 3])
        #expect(try store.differences() == [])
    }

    /// A request that is repeated, whole or after a part of it, counts what it had at most: in one batch and over several.
    @Test(arguments: [1, 20_000]) func requestCountsItsGreatest(_ recordsMax: Int) throws {
        let store = try Store()
        let counts: [Int64] = [100, 250, 100, 250, 400, 0, 400]
        let source = RecordList(counts.map { Sample.sent($0, request: 9) })
        try store.load(source) { $0.batchRecordsMax = recordsMax }
        #expect(try store.row()[0] == 400)
        source.append([Sample.sent(300, request: 9), Sample.sent(450, request: 9), Sample.sent(10, request: 8)])
        try store.load(source) { $0.batchRecordsMax = recordsMax }
        #expect(try store.row()[0] == 460)
        #expect(try store.differences() == [])
    }

    /// A request over several launches and providers counts for each.
    @Test func requestCountsForEachKey() throws {
        let store = try Store()
        let other = LaunchID(account: 1, campaign: 8, launchedAt: 1)
        let records = [
            Sample.sent(10, request: 9), Sample.sent(20, request: 9, provider: 2),
            Sample.sent(40, request: 9, isTest: true),
            Sample.sent(80, request: 9, launch: other),
        ]
        try store.load(records + records)
        #expect(try store.row()[0] == 30)
        #expect(try store.row(other)[0] == 80)
        #expect(try store.report(includeTests: true)?.totals.sent == 70)
    }

    /// What a request grew by counts when it grew.
    @Test func growthCountsInItsOwnBucket() throws {
        let store = try Store()
        let source = RecordList([Sample.sent(100, request: 9), Sample.sent(150, request: 9, after: 90)])
        try store.load(source)
        source.append([Sample.sent(175, request: 9, after: 200)])
        try store.load(source)
        #expect(
            try store.texts("select sent::text from ackhub.launch_bucket order by bucket_at") == ["100", "50", "25"])
    }
}
