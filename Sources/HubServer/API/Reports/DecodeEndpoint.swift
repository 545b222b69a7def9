import HTTPFrontEnd
import HubLinks
package import MessageIDs
package import StrictJSON

/// `GET /v1/decode?id=`: explains any id of any public form, or a hub link.
package enum DecodeEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        var query = QueryParameters(call.request.query, known: ["id"])
        let text = query.required("id") { (text) throws(FieldReason) in text }
        let explanation = try text.flatMap { try Self.explain($0, call, &query) }
        try query.check()
        guard let explanation else { throw Problem.internalError }
        return .whole(.json(explanation))
    }

    private static func explain(
        _ text: String, _ call: APICall, _ query: inout QueryParameters
    ) throws -> JSONWriter? {
        if let target = Self.target(ofLink: text) { return try Self.explain(link: target, call, &query) }
        do {
            let decoded = try DecodedID(text: text)
            let named = decoded.fields.first { $0.name == "account_id" }.flatMap { Int64($0.value) }
            if let account = decoded.message?.account ?? decoded.unique?.account ?? decoded.launch?.account ?? named {
                try call.requireOwn(account)
            }
            return Self.json(decoded)
        } catch let error as MessageIDError {
            query.faults.add(.parameter("id"), .invalid, "No id of a known form: \(error.code.name).")
            return nil
        }
    }

    private static func explain(
        link target: [UInt8], _ call: APICall, _ query: inout QueryParameters
    ) throws -> JSONWriter? {
        let opener = try LinkOpener(keyRing: call.services.keyRing)
        switch opener.read(target: target.span.bytes) {
        case .notALink:
            query.faults.add(.parameter("id"), .invalid, "No link of this hub: not_a_link.")
            return nil
        case .damaged(let damage):
            query.faults.add(.parameter("id"), .invalid, "No link of this hub: \(damage.rawValue).")
            return nil
        case .message(let kind, let message):
            try call.requireOwn(message.account)
            return Self.json(kind, message, keyID: opener.keyID, call)
        }
    }

    /// The request target of a link's URL; nil when the text is no URL.
    private static func target(ofLink text: String) -> [UInt8]? {
        let head = text.prefix(8).lowercased()
        let schemeBytes = head == "https://" ? 8 : head.hasPrefix("http://") ? 7 : 0
        let target = text.utf8.dropFirst(schemeBytes).drop { schemeBytes > 0 && $0 != UInt8(ascii: "/") }
        return target.first == UInt8(ascii: "/") ? Array(target) : nil
    }

    package static func json(_ decoded: DecodedID) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.member("family", decoded.family)
        json.key("fields")
        json.beginObject()
        for (name, value) in decoded.fields { json.member(name, value) }
        json.endObject()
        if let message = decoded.message { Self.write(message, to: &json) }
        json.endObject()
        return json
    }

    private static func json(
        _ kind: EventKind, _ message: SendMessageID, keyID: UInt8, _ call: APICall
    ) -> JSONWriter {
        let now = call.services.now()
        let ttl = UInt64(call.services.configuration.linkTTLDays) * 86_400_000_000_000
        let age = Int64(clamping: now) - Int64(clamping: message.sentAt)
        var json = JSONWriter()
        json.beginObject()
        json.member("family", "link")
        json.member("kind", kind == .ack ? "ack" : "open")
        json.member("key_id", Int64(keyID))
        json.member("age_seconds", age / 1_000_000_000)
        json.member("expired", age > Int64(clamping: ttl))
        Self.write(message, to: &json)
        json.endObject()
        return json
    }

    private static func write(_ message: SendMessageID, to json: inout JSONWriter) {
        json.key("message")
        json.beginObject()
        message.writeMembers(to: &json)
        json.endObject()
    }
}
