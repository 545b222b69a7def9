import EventSpool
import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// `POST /v1/launches/{launch_id}/sent`: counts messages as sent whose links the sender minted in its own process. 204 once
/// the count is durable. They count at the time of the request.
enum SentEndpoint {
    /// Messages of one request.
    static let countMax: Int64 = 1_000_000_000

    static func answer(_ call: APICall) async throws -> Answer {
        let type = try MediaType.of(call.request, among: [.json])
        try QueryParameters(call.request.query, known: []).check()
        let key = try IdempotencyKey(call.request)
        let launch = try LaunchPath.launch(of: call)
        let body = try await call.collectBody()
        let fields = try Fields(APICall.members(of: body))
        let claimed = try await key?.claim(call, type, body: body, count: 1)
        let sent = SentCount(
            launch: launch, resource: fields.resource, channel: fields.channel, provider: fields.provider,
            isTest: fields.isTest, sentAt: claimed?.firstSentAt ?? call.services.now(), count: fields.count,
            request: claimed?.identity)
        var record: [UInt8] = []
        sent.appendRecord(to: &record)
        if let refusal = await call.services.spool.append([record]) { throw Problem.spoolRefused(refusal) }
        return .whole(HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")]))
    }

    private struct Fields {
        var provider: Provider
        var count: Int64
        var resource: Int64 = 0
        var channel = Channel.push
        var isTest = false

        init(_ members: [JSONMember]) throws(Problem) {
            var faults = FieldFaults()
            var provider: Provider?
            var count: Int64?
            for member in members where member.value != .null {
                switch member.name {
                case "provider": provider = faults.value(of: member, at: .root, FieldValue.provider)
                case "count":
                    count = faults.value(of: member, at: .root) { (value) throws(FieldReason) in
                        try FieldValue.integer(value, in: 1...SentEndpoint.countMax)
                    }
                case "resource_id": self.resource = faults.value(of: member, at: .root, FieldValue.id) ?? 0
                case "channel": self.channel = faults.value(of: member, at: .root, FieldValue.channel) ?? .push
                case "test": self.isTest = faults.value(of: member, at: .root, FieldValue.bool) ?? false
                default: faults.addUnknownField(member.name, at: .root)
                }
            }
            faults.require("provider", in: members, at: .root)
            faults.require("count", in: members, at: .root)
            guard faults.isEmpty, let provider, let count else { throw .invalidFields(faults) }
            self.provider = provider
            self.count = count
        }
    }
}

/// The `{launch_id}` of a path, or another segment that may be one.
enum LaunchPath {
    /// The token's own launch: 404 when the text is none, 403 when it is another account's.
    static func launch(of call: APICall, named name: String = "launch_id") throws(Problem) -> LaunchID {
        let launch: LaunchID
        do {
            launch = try LaunchID(text: call.parameter(name))
        } catch {
            throw .unknownLaunch("The path names no launch: \(error.code.name).")
        }
        try call.requireOwn(launch.account)
        return launch
    }
}
