package import EventStore
import HTTPFrontEnd
import MessageIDs
package import StrictJSON

/// `GET /v1/reports/launches/{launch_id}?test=include`: totals, per provider and per class.
package enum LaunchReportEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        let launch = try LaunchPath.launch(of: call)
        var query = QueryParameters(call.request.query, known: ["test"])
        let includeTests = query.includesTests()
        try query.check()
        let report = try await call.database { try Reports.launch(launch, includeTests: includeTests, on: $0) }
        guard let report else { throw Problem.unknownLaunch() }
        return .whole(.json(Self.json(report)))
    }

    package static func json(_ report: LaunchReport) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.member("launch_id", report.launch.text)
        json.member("account_id", id: report.launch.account)
        json.member("campaign_id", id: report.launch.campaign)
        json.member("launched_at", UnixTime.text(nanoseconds: report.launch.launchedAt))
        json.key("totals")
        json.beginObject()
        report.totals.writeMembers(to: &json)
        json.endObject()
        json.key("by_provider")
        json.beginArray()
        for (provider, row) in report.byProvider {
            json.beginObject()
            json.member("provider", provider.name)
            row.writeMembers(to: &json)
            json.endObject()
        }
        json.endArray()
        json.key("by_class")
        json.beginArray()
        for (eventClass, opensTotal, acksTotal) in report.byClass {
            json.beginObject()
            json.member("class", eventClass.name)
            json.member("opens_total", opensTotal)
            json.member("acks_total", acksTotal)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json
    }
}
