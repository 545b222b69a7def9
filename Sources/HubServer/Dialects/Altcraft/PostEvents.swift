import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// Altcraft's Gateway API v1.1: a service between the app and the hub reports deliveries and opens.
///
/// Source: Altcraft's developer guide, "Add app push events" and "Event registration".
extension Dialect {
    static let postEvents = Dialect(
        name: .postEvents,
        routes: [DialectRoute(.post, "/api/v1.1/pushes/post_events", PostEvents.read)],
        answer: { refusal, call in AltcraftAnswer(refusal).response(PostEvents.format(of: call)) })
}

enum PostEvents {
    /// Each fault has one answer, looked for in this order: body (415, 400), token (401), scope (403), fields (400), message
    /// (404, 400), account (403).
    static func read(_ call: DialectCall) async throws -> DialectReport {
        let request = try PostEventsRequest(call.request, body: call.body)
        let account = try await Self.account(request, call)
        let kinds = try request.kinds()
        let format = try request.format()
        let message = try request.message()
        guard message.account == account else {
            throw DialectRefusal(.forbidden, "The message belongs to another account than the API token.")
        }
        return DialectReport(
            events: kinds.map { kind in
                ReportedEvent(
                    kind: kind, message: message,
                    report: ReportedEvent.report("post_events", kind.name, message.messageKey.text))
            },
            response: AltcraftAnswer.success.response(format))
    }

    /// The form of a refusal, even of a call that could not be read.
    static func format(of call: DialectCall) -> AltcraftAnswer.Format {
        if let request = try? PostEventsRequest(call.request, body: call.body) {
            return (try? request.format()) ?? request.bodyFormat
        }
        return call.request.header("content-type")?.lowercased().contains("xml") == true ? .xml : .json
    }

    /// The token stands in the body, in Authorization or, discouraged, in the URL; the first that is there counts.
    private static func account(_ request: PostEventsRequest, _ call: DialectCall) async throws -> Int64 {
        let grant: TokenGrant
        if let token = try request.token() {
            grant = try await call.authenticator.grant(token: token)
        } else if let authorization = call.request.header("authorization") {
            grant = try await call.authenticator.grant(authorization: authorization)
        } else {
            var query = QueryParameters(call.request.query, known: ["token"])
            guard let token = query.value("token", { (text) throws(FieldReason) in text }) else {
                throw DialectRefusal(
                    .unauthorized, "Send an API token: in the body's token, or as Authorization: Bearer.")
            }
            grant = try await call.authenticator.grant(token: token)
        }
        guard !grant.scopes.isDisjoint(with: [.ingest, .device]) else {
            throw DialectRefusal(.forbidden, "The API token lacks the scopes ingest and device.")
        }
        return grant.account
    }
}
