import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// `GET /v1/messages/{id}/opens?test=include`: first opens by UTC hour, for 48 hours from the hour of sending on, in the
/// form of Carillon's API.
///
/// Carillon's message goes to many devices, as a launch does here: `{id}` may be a launch id. Of a single message the hub
/// shows its own first open. Both count messages as the launch's report does: by the receipt of the first open that counts.
enum OpensEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        let opens = try await Self.opens(call)
        var json = JSONWriter()
        json.beginObject()
        json.key("hours")
        json.beginArray()
        for (hour, opened) in opens?.hours(until: call.services.now()) ?? [] {
            json.beginObject()
            json.member("hour", UnixTime.text(nanoseconds: hour))
            json.member("opened", opened)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return .whole(.json(json))
    }

    /// nil where a Full id says all of a message of which nothing is stored.
    private static func opens(_ call: APICall) async throws -> HourlyOpens? {
        // No id of a message has a `_`, every launch id has two.
        guard !call.parameter("id").utf8.contains(UInt8(ascii: "_")) else { return try await Self.launchOpens(call) }
        let path = try MessagePath(call.parameter("id"), of: call)
        // A message that is asked for by name is shown, a test send too.
        _ = try Self.includesTests(call)
        let account = call.account
        let opens = try await call.database { try Reports.opens(ofMessage: path.key, account: account, on: $0) }
        if opens == nil && path.message == nil { throw Problem.unknownMessage() }
        return opens
    }

    private static func launchOpens(_ call: APICall) async throws -> HourlyOpens {
        let launch = try LaunchPath.launch(of: call, named: "id")
        let includeTests = try Self.includesTests(call)
        let opens = try await call.database { try Reports.opens(of: launch, includeTests: includeTests, on: $0) }
        guard let opens else { throw Problem.unknownLaunch() }
        return opens
    }

    private static func includesTests(_ call: APICall) throws(Problem) -> Bool {
        var query = QueryParameters(call.request.query, known: ["test"])
        let includesTests = query.includesTests()
        try query.check()
        return includesTests
    }
}
