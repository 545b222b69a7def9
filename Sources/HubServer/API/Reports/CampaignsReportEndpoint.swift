package import EventStore
import HTTPFrontEnd
import MessageIDs
package import StrictJSON

/// `GET /v1/reports/campaigns?from&to&tz&sort&limit&cursor&test`: a row per campaign over its launches in the period, newest
/// launch first unless `sort` says else (`sent` ascending, `-sent` descending).
package enum CampaignsReportEndpoint {
    static let limitDefault = 50
    static let limitMax = 500

    static func answer(_ call: APICall) async throws -> Answer {
        let (account, page) = (call.account, try Page(call))
        do {
            let (items, next) = try await call.database {
                try Reports.campaigns(
                    account: account, from: page.period.from, to: page.period.to, includeTests: page.includeTests,
                    sort: page.sort.column, descending: page.sort.descending, cursor: page.position, limit: page.limit,
                    on: $0)
            }
            return .whole(.json(Self.json(items, next: next.map(page.cursor.text))))
        } catch let error as StoreError where error.code == .cursor {
            // The mark is whole but not what follows it: only the store can tell.
            var faults = FieldFaults()
            faults.add(.parameter("cursor"), PageCursor.refusal)
            throw Problem.invalidParameters(faults)
        }
    }

    private struct Sort: Sendable {
        var column = Reports.CampaignSort.lastLaunchedAt
        var descending = true
        static let names = Reports.CampaignSort.allCases.map(\.rawValue).joined(separator: ", ")

        init() {}

        init(_ text: String) throws(FieldReason) {
            self.descending = text.hasPrefix("-")
            guard let column = Reports.CampaignSort(rawValue: String(text.dropFirst(self.descending ? 1 : 0))) else {
                throw FieldReason(
                    code: .unknownValue, detail: "Must be one of \(Self.names), with - before it for descending.")
            }
            self.column = column
        }
    }

    private struct Page: Sendable {
        var period: ReportPeriod
        var sort: Sort
        var includeTests: Bool
        var limit: Int
        var cursor: PageCursor
        var position: [UInt8]?

        init(_ call: APICall) throws(Problem) {
            var query = QueryParameters(
                call.request.query, known: ReportPeriod.parameters + ["sort", "limit", "cursor", "test"])
            self.period = ReportPeriod(&query)
            self.sort = query.value("sort") { (text) throws(FieldReason) in try Sort(text) } ?? Sort()
            self.includeTests = query.includesTests()
            let limit = query.value("limit") { (text) throws(FieldReason) in
                try FieldValue.integer(.string(text), in: 1...Int64(CampaignsReportEndpoint.limitMax))
            }
            self.limit = limit.map(Int.init) ?? CampaignsReportEndpoint.limitDefault
            let bounds = [self.period.from, self.period.to].map { $0.map(String.init) ?? "" }
            self.cursor = PageCursor(
                query: ["campaigns", String(call.account), self.sort.column.rawValue, "\(self.sort.descending)"]
                    + ["\(self.includeTests)"] + bounds)
            self.position = query.value("cursor", self.cursor.position)
            try query.check()
        }
    }

    package static func json(_ items: [CampaignReport], next: String?) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.key("items")
        json.beginArray()
        for item in items {
            json.beginObject()
            json.member("campaign_id", id: item.campaign)
            json.member("name", item.name)
            json.member("launches", item.launches)
            json.member("first_launched_at", UnixTime.text(nanoseconds: item.firstLaunchedAt))
            json.member("last_launched_at", UnixTime.text(nanoseconds: item.lastLaunchedAt))
            item.row.writeMembers(to: &json)
            json.endObject()
        }
        json.endArray()
        json.member("next_cursor", next)
        json.endObject()
        return json
    }
}
