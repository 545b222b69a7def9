import EventStore
import MessageIDs
import StrictJSON

/// The fields of one event: `uid`, `kind`, `at?`, `id?`, `address?`, `user_agent?`. A null optional field is an absent one.
struct IngestFields: Sendable {
    /// An id at the source is a name, not a text: longer ones are refused.
    static let idBytesMax = 255
    /// Longer user agents are refused; the first 512 bytes are kept.
    static let userAgentBytesMax = 4_096

    let kind: EventKind
    let message: ReportedMessage
    /// UNIX nanoseconds by the source's clock.
    private(set) var at: UInt64?
    /// The event's name at its source.
    private(set) var id: String?
    private(set) var address = IPAddress.none
    private(set) var userAgent = ""

    /// nil when a required field is missing or bad; each fault is told.
    ///
    /// - Parameter account: Whose message a bare key names.
    init?(_ members: [JSONMember], account: Int64, _ faults: inout FieldFaults) {
        var kind: EventKind?
        var message: ReportedMessage?
        for member in members {
            let isNull = member.value == .null
            switch member.name {
            case "uid" where !isNull:
                message = faults.value(of: member, at: .root) { (value) throws(FieldReason) in
                    try FieldValue.message(value, account: account)
                }
            case "kind" where !isNull: kind = faults.value(of: member, at: .root, FieldValue.eventKind)
            case "at" where !isNull: self.at = faults.value(of: member, at: .root, FieldValue.time)
            case "id" where !isNull: self.id = faults.value(of: member, at: .root, Self.id)
            case "address" where !isNull:
                self.address = faults.value(of: member, at: .root, FieldValue.address) ?? .none
            case "user_agent" where !isNull:
                self.userAgent = faults.value(of: member, at: .root, Self.userAgent) ?? ""
            case "uid", "kind", "at", "id", "address", "user_agent": break
            default:
                faults.add(FieldBase.root.place(member.name), .unknownField, "There is no such field.")
            }
        }
        faults.require("uid", in: members, at: .root)
        faults.require("kind", in: members, at: .root)
        guard let kind, let message else { return nil }
        self.kind = kind
        self.message = message
    }

    private static func userAgent(_ value: JSONValue) throws(FieldReason) -> String {
        try FieldValue.string(value, bytesMax: Self.userAgentBytesMax)
    }

    private static func id(_ value: JSONValue) throws(FieldReason) -> String {
        let id = try FieldValue.string(value, bytesMax: Self.idBytesMax)
        guard !id.isEmpty else { throw FieldReason(code: .empty, detail: "Must not be empty.") }
        return id
    }

    /// The event with its name: by its id at the source where it has one, else by its time. What has neither is the one
    /// event of its kind that the source knows of the message. So a line that is sent again is always the same event.
    var event: ReportedEvent {
        let (what, name) = self.id.map { ("id", $0) } ?? ("at", self.at.map(String.init) ?? "")
        return ReportedEvent(
            kind: self.kind, message: self.message, deviceAt: self.at,
            report: ReportedEvent.report(
                EventDialect.ingest.name, self.kind.name, self.message.key.text, what, name))
    }
}

extension FieldValue {
    /// By the Full or the e-mail-safe id, which hold the message, or by the Unique id or the message key, which name it.
    fileprivate static func message(_ value: JSONValue, account: Int64) throws(FieldReason) -> ReportedMessage {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        if let key = MessageKey(text: text) { return .key(account: account, key) }
        do {
            guard text.utf8.first == UInt8(ascii: "U") else { return .whole(try SendMessageID(text: text)) }
            let unique = try UniqueID(text: text)
            return .key(account: unique.account, unique.key)
        } catch {
            throw FieldReason(code: .invalid, detail: "Names no message: \(error.code.name).")
        }
    }

    fileprivate static func eventKind(_ value: JSONValue) throws(FieldReason) -> EventKind {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard let kind = EventKind.allCases.first(where: { $0.name == text }) else {
            throw FieldReason(code: .unknownValue, detail: "Must be ack or open.")
        }
        return kind
    }

    fileprivate static func address(_ value: JSONValue) throws(FieldReason) -> IPAddress {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard let address = IPAddress(text: text) else {
            throw FieldReason(code: .invalid, detail: "Must be an IP address without a port.")
        }
        return address
    }
}
