import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// `GET /v1/messages/{uid}`: a message's fields and events, by its Full, Email-safe or Unique id or its key (a UUID).
///
/// A Full id names the whole message, so one without any event yet is still shown; of the others the fields are known only
/// from what is stored.
enum MessageEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        let path = try MessagePath(call.parameter("uid"), of: call)
        try QueryParameters(call.request.query, known: []).check()
        let account = call.account
        let report = try await call.database { try Reports.message(account: account, key: path.key, on: $0) }
        if let report { return .whole(.json(Self.json(report.message, report))) }
        guard let message = path.message else { throw Problem.unknownMessage() }
        return .whole(.json(Self.json(message, nil)))
    }

    private static func json(_ message: SendMessageID, _ report: MessageReport?) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        message.writeMembers(to: &json)
        json.member("acked_at", report?.ackedAt.map(Self.time))
        json.member("opened_at", report?.openedAt.map(Self.time))
        json.key("sources")
        json.beginArray()
        let dialects = Set((report?.events ?? []).map(\.dialect))
        for dialect in EventDialect.allCases where dialects.contains(dialect) { json.string(dialect.name) }
        json.endArray()
        json.key("events")
        json.beginArray()
        for event in report?.events ?? [] { Self.write(event, to: &json) }
        json.endArray()
        json.endObject()
        return json
    }

    private static func write(_ event: StoredEvent, to json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", event.kind == .ack ? "ack" : "open")
        json.member("first", event.isFirst)
        json.member("received_at", Self.time(event.receivedAt))
        json.member("device_at", event.deviceAt.map(Self.time))
        json.member("dialect", event.dialect.name)
        json.member("class", event.eventClass.name)
        json.key("flags")
        json.beginArray()
        for (flag, name) in Self.flagNames where event.flags.contains(flag) { json.string(name) }
        json.endArray()
        json.member("address", event.address)
        json.member("user_agent", event.userAgent)
        json.endObject()
    }

    private static let flagNames: [(EventFlags, String)] = [
        (.sentAhead, "sent_ahead"), (.deviceTimeClamped, "device_time_clamped"), (.repairedLink, "repaired_link"),
    ]

    /// From UNIX microseconds, as PostgreSQL keeps them; nothing is stored from before 1970.
    private static func time(_ microseconds: Int64) -> String {
        UnixTime.text(nanoseconds: UInt64(clamping: microseconds) * 1_000)
    }
}
