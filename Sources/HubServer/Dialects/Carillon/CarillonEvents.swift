import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// `POST /v1/events`: `{"events":[{"type":"opened","delivery_id":"<uuid>","at":"2026-02-02T02:40:00.000Z"}]}`.
///
/// A delivery id is a message key: it names the message and holds nothing of it, so the account is the key's owner, and
/// whether there is such a message is for the loader to find. What names none is ignored.
enum CarillonEvents {
    /// Events of one call, by Carillon's contract.
    static let countMax = 100

    static func read(_ call: DialectCall) async throws -> DialectReport {
        let account = try await Self.account(of: call)
        let items = try Self.items(of: call.body)
        let events = items.compactMap { Self.event($0, of: account) }
        var json = JSONWriter()
        json.beginObject()
        json.member("received", Int64(items.count))
        json.endObject()
        return DialectReport(
            events: events, ignored: items.count - events.count, response: .json(json, status: 202))
    }

    private static func account(of call: DialectCall) async throws -> Int64 {
        let grant = try await call.authenticator.grant(authorization: call.request.header("authorization"))
        guard grant.scopes.contains(.device) || grant.scopes.contains(.ingest) else {
            throw Problem.insufficientScope(.device)
        }
        return grant.account
    }

    private static func items(of body: [UInt8]) throws(DialectRefusal) -> [JSONValue] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body.span.bytes, replacesLoneSurrogates: true)
        } catch {
            throw DialectRefusal(.malformed, "The JSON breaks at byte \(error.offset): \(error.code).")
        }
        guard let items = value["events"]?.items else {
            throw DialectRefusal(.malformed, "The body must be a JSON object with an array of events.")
        }
        guard items.count <= Self.countMax else {
            throw DialectRefusal(.tooLarge, "A call takes at most \(Self.countMax) events.")
        }
        return items
    }

    /// nil for what is ignored: an unknown type, an id that is no message key.
    private static func event(_ item: JSONValue, of account: Int64) -> ReportedEvent? {
        guard let type = item["type"]?.text, let kind = Self.kind(of: type),
            let key = item["delivery_id"]?.text.flatMap(MessageKey.init(text:))
        else { return nil }
        return ReportedEvent(
            kind: kind, message: .key(account: account, key),
            deviceAt: item["at"]?.text.flatMap(UnixTime.nanoseconds(text:)),
            report: ReportedEvent.report(key.text, type))
    }

    private static func kind(of type: String) -> EventKind? {
        switch type {
        case "opened": .open
        case "received": .ack
        default: nil
        }
    }

    /// Problem details of RFC 9457, of which the SDKs log `code` and `detail`.
    static func answer(_ refusal: DialectRefusal) -> HTTPResponse {
        let status =
            switch refusal.reason {
            case .malformed, .invalidArgument, .unknownMessage: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .tooLarge: 413
            case .unsupportedMediaType: 415
            case .internal: 500
            // A body that did not come in time may do so the next time; on a 408 the SDKs would drop it.
            case .timeout, .unavailable: 503
            }
        let problem = Problem(status, refusal.reason.rawValue, refusal.detail)
        switch status {
        case 401: return problem.with("WWW-Authenticate", "Bearer realm=\"ackhub\"").response
        case 503: return problem.with("Retry-After", Problem.retryAfterSeconds).response
        default: return problem.response
        }
    }
}
