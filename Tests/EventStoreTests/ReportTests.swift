import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// What the reports say, and that every way of asking says the same.
@Suite(.blocking)
struct ReportTests {
    /// Rates are nil at zero, and never above 1.
    @Test func ratesAreNilAtZero() {
        var row = ReportRow()
        #expect(row.deliveryRate == nil && row.openRate == nil && !row.sentIncomplete)
        row.sent = 4
        #expect(row.deliveryRate == 0 && row.openRate == nil && !row.sentIncomplete)
        row.acked = 1
        row.derived = 1
        row.opened = 1
        #expect(row.delivered == 2 && row.deliveryRate == 0.5 && row.openRate == 0.5)
        row.sent = 1
        #expect(row.deliveryRate == nil && row.sentIncomplete)
        row.opened = 3
        #expect(row.openRate == nil)
    }

    /// Nothing known is no report; sends alone are one.
    @Test func unknownLaunchIsNil() throws {
        let store = try Store()
        try store.load([Sample.sent(3)])
        #expect(try store.report(LaunchID(account: 2, campaign: 7, launchedAt: Sample.launchedAt)) == nil)
        #expect(try store.report(LaunchID(account: 1, campaign: 7, launchedAt: Sample.launchedAt + 1)) == nil)
        let report = try #require(try store.report())
        #expect(report.totals.sent == 3 && report.totals.deliveryRate == 0 && report.totals.openRate == nil)
        #expect(report.byClass.isEmpty)
    }

    /// Launch, campaign, views, timeline and raw events agree.
    @Test func everyEndpointSaysTheSame() throws {
        let store = try Store()
        var records = [Sample.sent(20), Sample.sent(20, provider: 3)]
        for number in 0..<9 {
            records.append(
                Sample.ack(Sample.message(number, provider: number < 5 ? 1 : 3), after: UInt64(number) * 30_000))
        }
        for number in 5..<14 {
            records.append(Sample.open(Sample.message(number, provider: 3), after: UInt64(number) * 9_000))
        }
        records.append(Sample.open(Sample.message(0), eventClass: .bot))
        records.append(Sample.ack(Sample.message(40, isTest: true)))
        try store.load(records)
        let row = try store.row()
        #expect(row == [40, 9, 5, 9, 9, 9])
        let campaigns = try Self.campaigns(store)
        #expect(campaigns.map(\.row) == [try store.report()?.totals])
        for view in ["launch_summary", "campaign_summary", "launch_timeline"] {
            let sums = try store.connection.query(
                """
                select sum(sent)::bigint, sum(acked)::bigint, sum(derived)::bigint, sum(opened)::bigint,
                    sum(acks_total)::bigint, sum(opens_total)::bigint, sum(delivered)::bigint from ackhub.\(view)
                """)
            #expect(try (0..<7).map { try sums.int64(0, $0) } == row + [14], "\(view)")
        }
        let raw = try store.connection.query(
            """
            select count(*) filter (where is_first and kind = 'ack'), count(*) filter (where is_first and kind = 'open')
            from ackhub.event where not is_test and launch_id = $1
            """, [.text(Sample.launch.text)])
        #expect(try (raw.int64(0, 0), raw.int64(0, 1)) == (9, 9))
        let messages = try store.connection.query(
            "select count(acked_at), count(opened_at), count(delivered_at) from ackhub.message_history where not is_test"
        )
        #expect(try (0..<3).map { try messages.int64(0, $0) } == [9, 9, 14])
        let providers = try #require(try store.report()).byProvider
        #expect(providers.map(\.row.sent) == [20, 20])
        #expect(providers.map(\.row.delivered) == [5, 9])
        #expect(
            try store.texts("select distinct provider from ackhub.launch_timeline order by 1") == [
                "android-firebase", "ios-apns",
            ])
    }

    /// What has not happened took no time: it is null, not 0, so that an average is one of what happened.
    @Test func secondsAreNullWithoutAnEvent() throws {
        let store = try Store()
        let sentAt = Sample.launchedAt
        try store.load([
            Sample.ack(Sample.message(1, sentAt: sentAt), after: 10),
            Sample.open(Sample.message(2, sentAt: sentAt), after: 20),
            Sample.ack(Sample.message(3, sentAt: sentAt + Sample.day), after: 30),
        ])
        let seconds = try store.texts(
            """
            select concat_ws(' ', coalesce(seconds_to_ack::bigint::text, '-'), coalesce(seconds_to_open::bigint::text, '-'))
            from ackhub.message_history order by subscription_id
            """)
        #expect(seconds == ["10 -", "- 20", "0 -"])
    }

    private static func campaigns(
        _ store: Store, from: UInt64? = nil, to: UInt64? = nil, sort: Reports.CampaignSort = .lastLaunchedAt,
        descending: Bool = true, limit: Int = 100
    ) throws -> [CampaignReport] {
        var items: [CampaignReport] = []
        var cursor: [UInt8]?
        repeat {
            let page = try Reports.campaigns(
                account: 1, from: from, to: to, includeTests: false, sort: sort, descending: descending, cursor: cursor,
                limit: limit, on: store.connection)
            #expect(page.items.count <= limit)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// Nine campaigns; each has as many launches, a second apart, as its number; sent counts repeat.
    private static func storeOfCampaigns() throws -> Store {
        let store = try Store()
        let records = (1...9).flatMap { campaign in
            (0..<campaign).map { number in
                Sample.sent(
                    Int64(campaign / 3),
                    launch: LaunchID(
                        account: 1, campaign: Int64(campaign),
                        launchedAt: Sample.launchedAt + UInt64(number) * Sample.second))
            }
        }
        let foreign = Sample.sent(5, launch: LaunchID(account: 2, campaign: 99, launchedAt: Sample.launchedAt))
        try store.load(records + [foreign])
        return store
    }

    /// Every order, in pages of every size: each campaign once, sorted.
    @Test func pagesNeitherRepeatNorLeaveOut() throws {
        let store = try Self.storeOfCampaigns()
        for sort in Reports.CampaignSort.allCases {
            for descending in [true, false] {
                let whole = try Self.campaigns(store, sort: sort, descending: descending)
                #expect(whole.map(\.campaign).sorted() == Array(1...9))
                let values = whole.map { item -> Int64 in
                    switch sort {
                    case .lastLaunchedAt: Int64(item.lastLaunchedAt)
                    case .campaign: item.campaign
                    case .sent: item.row.sent
                    case .delivered, .opened: 0
                    }
                }
                #expect(values == (descending ? values.sorted(by: >) : values.sorted()))
                for limit in [1, 2, 4, 9] {
                    #expect(try Self.campaigns(store, sort: sort, descending: descending, limit: limit) == whole)
                }
            }
        }
    }

    /// Only launches of the range count, from inclusive, to exclusive, by the nanosecond.
    @Test func cohortIsTheLaunchesOfTheRange() throws {
        let store = try Self.storeOfCampaigns()
        let third = Sample.launchedAt + 2 * Sample.second
        let inside = try Self.campaigns(
            store, from: third, to: third + Sample.second, sort: .campaign, descending: false)
        #expect(inside.map(\.campaign) == Array(3...9))
        #expect(inside.allSatisfy { $0.launches == 1 && $0.firstLaunchedAt == third && $0.lastLaunchedAt == third })
        #expect(try Self.campaigns(store, from: third + 1, to: third + Sample.second) == [])
        let all = try Self.campaigns(store, from: nil, to: third + 1, sort: .campaign, descending: true)
        #expect(all.first?.launches == 3)
    }

    /// A campaign's name is shown where one was given.
    @Test func namesAreShown() throws {
        let store = try Store()
        try store.load([Sample.sent(1)])
        try store.connection.execute(
            "insert into ackhub.name (account_id, kind, id, name) values (1, 'campaign', 7, 'Spring')")
        #expect(try Self.campaigns(store).map(\.name) == ["Spring"])
    }

    /// A cursor that this order did not make is refused.
    @Test func foreignCursorsAreRefused() throws {
        let store = try Self.storeOfCampaigns()
        func page(_ cursor: [UInt8], _ sort: Reports.CampaignSort) throws {
            _ = try Reports.campaigns(
                account: 1, from: nil, to: nil, includeTests: false, sort: sort, descending: true, cursor: cursor,
                limit: 2,
                on: store.connection)
        }
        let good = CampaignCursor(sort: .sent, descending: true, value: 1, campaign: 3).bytes
        try page(good, .sent)
        for bad in [[], Array(good.dropLast()), good + [0], [9] + good.dropFirst()] {
            #expect { try page(bad, .sent) } throws: { ($0 as? StoreError)?.code == .cursor }
        }
        #expect { try page(good, .campaign) } throws: { ($0 as? StoreError)?.code == .cursor }
    }

    /// A message's fields and events, in order, of all roads; nil when nothing is known.
    @Test func messageShowsItsHistory() throws {
        let store = try Store()
        let message = Sample.message(1, provider: 30, privacy: .maskAddress)
        let other = Sample.message(2)
        try store.load([
            Sample.event(.open, message, after: 3, userAgent: []) {
                $0.dialect = .carillon
                $0.deviceAt = Sample.launchedAt + 1
                $0.flags = .deviceTimeClamped
                $0.addressLength = 16
                $0.address = 0x2001_0db8 << 96
            },
            Sample.ack(message, after: 2), Sample.ack(other),
        ])
        let report = try #require(try Reports.message(account: 1, key: message.messageKey, on: store.connection))
        #expect(report.message == message && report.key == message.messageKey)
        #expect(report.events.map(\.kind) == [.ack, .open])
        #expect(report.events.map(\.isFirst) == [true, true])
        #expect(report.events.map(\.address) == ["192.0.2.1", "2001:db8::"])
        #expect(report.events.map(\.userAgent) == ["okhttp/4.12.0", nil])
        #expect(report.events.map(\.dialect) == [.link, .carillon])
        #expect(report.events.map(\.flags) == [[], .deviceTimeClamped])
        #expect(report.events.map(\.deviceAt) == [nil, Int64(Sample.launchedAt / 1000)])
        #expect(report.ackedAt == report.events[0].receivedAt && report.openedAt == report.events[1].receivedAt)
        #expect(try Reports.message(account: 2, key: message.messageKey, on: store.connection) == nil)
        #expect(try Reports.message(account: 1, key: MessageKey(1), on: store.connection) == nil)
    }
}
