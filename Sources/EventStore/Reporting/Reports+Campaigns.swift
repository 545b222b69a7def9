package import Postgres

extension Reports {
    /// What a page of campaigns is sorted by; then by campaign id, so that pages neither repeat nor leave out.
    package enum CampaignSort: String, CaseIterable, Sendable {
        case lastLaunchedAt = "last_launched_at"
        case campaign = "campaign_id"
        case sent, delivered, opened
    }

    /// No page holds more.
    package static let pageItemsMax = 1000

    /// A row per campaign over its launches in `from ..< to` (UNIX nanoseconds of launch), one page; `next` gives the page
    /// after. A cursor of another request is an error (`StoreError.Code.cursor`).
    package static func campaigns(
        account: Int64, from: UInt64?, to: UInt64?, includeTests: Bool, sort: CampaignSort, descending: Bool,
        cursor: [UInt8]?, limit: Int, on connection: PostgresConnection
    ) throws -> (items: [CampaignReport], next: [UInt8]?) {
        precondition(limit >= 1 && limit <= self.pageItemsMax, "a page has 1 to \(self.pageItemsMax) items")
        let after = try cursor.map { try CampaignCursor(bytes: $0, sort: sort, descending: descending) }
        let begin = from.map(StoreTime.init(nanoseconds:))
        let end = to.map(StoreTime.init(nanoseconds:))
        let rows = try connection.query(
            EmbeddedSQL.campaignList,
            [
                .int64(account),
                begin.map { .timestamp($0.microseconds) } ?? .null, .int16(begin?.nanos ?? 0),
                end.map { .timestamp($0.microseconds) } ?? .null, .int16(end?.nanos ?? 0),
                .bool(includeTests), .text(sort.rawValue), .bool(descending),
                after.map { .text(String($0.value)) } ?? .null, .int64(after?.campaign ?? 0), .int64(Int64(limit + 1)),
            ])
        var items: [CampaignReport] = []
        for index in 0..<min(rows.count, limit) {
            var row = ReportRow()
            row.sent = try rows.int64(index, 5)
            row.acked = try rows.int64(index, 6)
            row.derived = try rows.int64(index, 7)
            row.opened = try rows.int64(index, 8)
            row.acksTotal = try rows.int64(index, 9)
            row.opensTotal = try rows.int64(index, 10)
            guard let first = UInt64(try rows.text(index, 3)), let last = UInt64(try rows.text(index, 4)) else {
                throw StoreError(.inconsistent, "a launch time outside 64 bits")
            }
            items.append(
                CampaignReport(
                    campaign: try rows.int64(index, 0), name: rows.isNull(index, 1) ? nil : try rows.text(index, 1),
                    launches: try rows.int64(index, 2), firstLaunchedAt: first, lastLaunchedAt: last, row: row))
        }
        guard rows.count > limit, let last = items.last else { return (items, nil) }
        let value: UInt64 =
            switch sort {
            case .lastLaunchedAt: last.lastLaunchedAt
            case .campaign: UInt64(last.campaign)
            case .sent: UInt64(max(0, last.row.sent))
            case .delivered: UInt64(max(0, last.row.delivered))
            case .opened: UInt64(max(0, last.row.opened))
            }
        return (
            items, CampaignCursor(sort: sort, descending: descending, value: value, campaign: last.campaign).bytes
        )
    }
}
