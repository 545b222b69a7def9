import MessageIDs
import StrictJSON

/// A row of `firebase_messaging.data`, the table to which Firebase exports what became of FCM's messages.
///
/// Source: Firebase's guide "Understanding message delivery", section "BigQuery data export". Of its columns `event`,
/// `message_id` and `event_timestamp` are read. `MESSAGE_DELIVERED` says that the message reached the app's SDK; the others
/// tell of the request to send.
enum BigQueryRow {
    static func item(_ row: JSONValue, _ map: MessageMap) -> SourceItem {
        guard case .object = row else { return .refused(code: "type", detail: "A row must be a JSON object.") }
        guard let event = row["event"]?.text else {
            return .refused(code: "event", detail: "The row has no event.")
        }
        guard event == "MESSAGE_DELIVERED" else { return .ignored(event) }
        guard let id = row["message_id"]?.text, !id.isEmpty else {
            return .refused(code: "message_id", detail: "The row has no message_id.")
        }
        guard let at = row["event_timestamp"]?.text.flatMap(Self.nanoseconds) else {
            return .refused(code: "event_timestamp", detail: "event_timestamp is no time.")
        }
        guard let uid = map[id] else { return .ignored(MessageMap.unknown) }
        return .event(SourceEvent(kind: .ack, uid: uid, at: at, id: MessageMap.name(id)))
    }

    /// A TIMESTAMP as BigQuery writes it into JSON: `2020-02-02 02:40:00.123456 UTC`. RFC 3339 is read too, and no zone is
    /// UTC.
    static func nanoseconds(_ text: String) -> UInt64? {
        var bytes = Array(text.utf8)
        guard bytes.count >= 19 else { return nil }
        if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        if bytes.suffix(4).elementsEqual(" UTC".utf8) { bytes.removeLast(4) }
        // After the seconds a zone begins with a sign or a letter.
        let hasZone = bytes[19...].contains { "+-Zz".utf8.contains($0) }
        if !hasZone { bytes.append(UInt8(ascii: "Z")) }
        return UnixTime.nanoseconds(text: String(decoding: bytes, as: UTF8.self))
    }
}
