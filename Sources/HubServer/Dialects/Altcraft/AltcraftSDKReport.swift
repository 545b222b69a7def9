import EventStore
import HTTPFrontEnd
import MessageIDs
import StrictJSON

/// One push event as Altcraft's SDKs report it: `{"time": 1767225600, "smid": "T…"}`.
///
/// Other members, the query (`matching_mode`, which old iOS SDKs fill with the role token) and the media type are not
/// looked at: an SDK that says more is not to lose its events.
struct AltcraftSDKReport: Sendable {
    let kind: EventKind
    let message: SendMessageID
    /// UNIX seconds by the device's clock; nil when it is missing or no whole number.
    private let time: Int64?

    static func path(of kind: EventKind) -> String { "/event/push/\(Self.word(for: kind))" }

    private static func word(for kind: EventKind) -> String {
        switch kind {
        case .ack: "delivery"
        case .open: "open"
        }
    }

    /// Understands a request and makes sure of who sends it.
    ///
    /// The body comes before the credential's check: a JSON Web Token is checked with the keys of the message's account.
    static func read(_ kind: EventKind, _ call: DialectCall) async throws -> DialectReport {
        let credential = try AltcraftSDKCredential(authorization: call.request.header("authorization"))
        let report = try AltcraftSDKReport(kind, body: call.body)
        try await credential.check(for: report.message, call)
        return DialectReport(
            events: [report.event(requestID: call.request.header("request-id"))],
            response: AltcraftAnswer.success.response())
    }

    init(_ kind: EventKind, body: [UInt8]) throws(DialectRefusal) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body.span.bytes, replacesLoneSurrogates: true)
        } catch {
            throw DialectRefusal(.malformed, "The JSON breaks at byte \(error.offset): \(error.code).")
        }
        guard case .object = value else { throw DialectRefusal(.malformed, "The body must be a JSON object.") }
        guard let text = value["smid"]?.text else { throw DialectRefusal(.malformed, "smid must be a string.") }
        guard let message = Self.message(text, kind) else {
            throw DialectRefusal(.unknownMessage, "smid names no message of this hub.")
        }
        self.kind = kind
        self.message = message
        self.time = Self.time(value["time"])
    }

    /// iOS SDKs 0.0.1 to 0.0.3 glue the event's type to the id. The id's checksum tells whether they did.
    private static func message(_ text: String, _ kind: EventKind) -> SendMessageID? {
        if let message = try? SendMessageID(text: text) { return message }
        let word = Self.word(for: kind)
        guard text.hasSuffix(word) else { return nil }
        return try? SendMessageID(text: String(text.dropLast(word.count)))
    }

    private static func time(_ value: JSONValue?) -> Int64? {
        switch value {
        case .number?: value?.int64
        case .string(let text)?: Int64(text)
        default: nil
        }
    }

    func event(requestID: String?) -> ReportedEvent {
        ReportedEvent(
            kind: self.kind, message: self.message, deviceAt: self.time.map(Self.nanoseconds),
            report: self.name(requestID: requestID))
    }

    /// Times that a UNIX time of 64 bits can't hold are the nearest that it can: far from any clock, so they are replaced
    /// by the time of receipt all the same.
    private static func nanoseconds(_ seconds: Int64) -> UInt64 {
        let (nanoseconds, isTooLarge) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : nanoseconds
    }

    /// What makes a repeat the same report: newer SDKs give each event a UUID and keep it over all tries. Older ones put the
    /// message's id there, which its delivery and every open of it share: then the event's own time tells them apart, as
    /// it does where the field is missing.
    private func name(requestID: String?) -> UInt128? {
        var requestID = requestID ?? ""
        var time = self.time.map(String.init) ?? ""
        if requestID.isEmpty {
            // Neither: a repeat can't be told from a second event.
            if time.isEmpty { return nil }
        } else if Self.message(requestID, self.kind) == self.message {
            requestID = "message"
        } else {
            time = ""
        }
        return ReportedEvent.report(
            EventDialect.msdk.name, self.kind.name, self.message.messageKey.text, requestID, time)
    }
}
