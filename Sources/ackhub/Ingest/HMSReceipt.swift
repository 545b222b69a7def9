import MessageIDs
import StrictJSON

/// The body of Huawei Push Kit's message receipt: `{"statuses":[{"biTag":…,"status":0,"timestamp":…,"requestId":…}]}`.
///
/// Source: Huawei's Push Kit references, "Message Receipt". Version 2 of the receipt has `deliveryStatus: {result,
/// timestamp}` in the place of `status` and `timestamp`. 0 is a delivery; every other code says why there was none. `biTag`
/// is what the sender gave as `bi_tag`.
enum HMSReceipt {
    static func items(_ body: JSONValue, _ map: MessageMap) -> [SourceItem] {
        guard let statuses = body["statuses"]?.items else {
            return [.refused(code: "statuses", detail: "A receipt must be a JSON object with an array of statuses.")]
        }
        return statuses.map { Self.item($0, map) }
    }

    private static func item(_ status: JSONValue, _ map: MessageMap) -> SourceItem {
        let delivery = status["deliveryStatus"]
        guard let code = (delivery?["result"] ?? status["status"])?.int64 else {
            return .refused(code: "status", detail: "The receipt has no whole number as status.")
        }
        guard code == 0 else { return .ignored("status \(code)") }
        guard let milliseconds = (delivery ?? status)["timestamp"]?.uint64,
            case let (at, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1_000_000), !isTooLarge
        else { return .refused(code: "timestamp", detail: "timestamp is no time in milliseconds.") }
        let tag = status["biTag"]?.text ?? ""
        guard let uid = map[tag] ?? (MessageMap.isID(tag) ? tag : nil) else { return .ignored(MessageMap.unknown) }
        return .event(SourceEvent(kind: .ack, uid: uid, at: at, id: status["requestId"]?.text ?? ""))
    }
}
