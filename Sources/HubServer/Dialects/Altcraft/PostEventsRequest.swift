import HTTPFrontEnd
import HubLinks
import MessageIDs
import StrictJSON

/// The fields of a post_events call, alike from JSON and XML; unknown ones are ignored.
struct PostEventsRequest: Sendable {
    /// Of the body.
    let bodyFormat: AltcraftAnswer.Format
    /// An XML element's text is a string here.
    private let values: [String: JSONValue]

    static let depthMax = FlatXML.depthMax

    init(_ request: HTTPRequest, body: [UInt8]) throws(DialectRefusal) {
        let type: MediaType
        do {
            type = try MediaType.of(request, among: [.json, .xml, .textXML])
        } catch {
            throw DialectRefusal(.unsupportedMediaType, error.detail)
        }
        self.bodyFormat = type == .json ? .json : .xml
        self.values = type == .json ? try Self.values(json: body) : try Self.values(xml: body)
    }

    private static func values(json body: [UInt8]) throws(DialectRefusal) -> [String: JSONValue] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body.span.bytes, depthMax: Self.depthMax, replacesLoneSurrogates: true)
        } catch {
            throw DialectRefusal(.malformed, "The JSON breaks at byte \(error.offset): \(error.code).")
        }
        guard let members = value.members else {
            throw DialectRefusal(.malformed, "The body must be a JSON object.")
        }
        // Names are unique by bytes; of canonical equivalents, which are no field of ours, either may stay.
        return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private static func values(xml body: [UInt8]) throws(DialectRefusal) -> [String: JSONValue] {
        let document: FlatXML
        do {
            document = try FlatXML(parsing: body)
        } catch {
            throw DialectRefusal(error == .otherEncoding ? .unsupportedMediaType : .malformed, error.detail)
        }
        guard document.root == "xml" else { throw DialectRefusal(.malformed, "The XML's root must be xml.") }
        var values: [String: JSONValue] = [:]
        for field in document.fields {
            let value = field.text.map { JSONValue.string(Self.trimmed($0)) } ?? .object([])
            guard values.updateValue(value, forKey: field.name) == nil else {
                throw DialectRefusal(.malformed, "An element of the XML is repeated.")
            }
        }
        return values
    }

    /// Without the white space that printing XML over several lines adds.
    private static func trimmed(_ text: String) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = text.utf8.drop(while: isSpace)
        let end = bytes.lastIndex { !isSpace($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    // MARK: Fields

    /// nil when it is absent, null or empty.
    private func text(_ name: String, orNumber: Bool = false) throws(DialectRefusal) -> String? {
        switch self.values[name] {
        case nil, .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let digits) where orNumber: return digits
        default:
            throw DialectRefusal(.malformed, "\(name) must be a string\(orNumber ? " or an integer" : "").")
        }
    }

    func token() throws(DialectRefusal) -> String? { try self.text("token") }

    /// What the answer shall be in: the field `format`, else as the body.
    func format() throws(DialectRefusal) -> AltcraftAnswer.Format {
        guard let name = try self.text("format") else { return self.bodyFormat }
        guard let format = AltcraftAnswer.Format(rawValue: name) else {
            throw DialectRefusal(.malformed, "format must be json or xml.")
        }
        return format
    }

    /// `events`: 1 delivered, 2 opened, 3 both.
    func kinds() throws(DialectRefusal) -> [EventKind] {
        switch try self.text("events", orNumber: true) {
        case "1": return [.ack]
        case "2": return [.open]
        case "3": return [.ack, .open]
        default: throw DialectRefusal(.malformed, "events must be 1 (delivered), 2 (opened) or 3 (both).")
        }
    }

    /// The message of `uid`. What else the call says of it (the long form) must agree.
    func message() throws(DialectRefusal) -> SendMessageID {
        guard let text = try self.text("uid") else { throw DialectRefusal(.malformed, "uid is required.") }
        let uid = try AltcraftUID(text: text)
        if let launch = try self.text("launch_id", orNumber: true) { try uid.requireLaunch(launch) }
        if let provider = try self.text("provider", orNumber: true) { try uid.requireProvider(provider) }
        if let subscription = try self.text("subscription_id", orNumber: true) {
            try uid.requireSubscription(subscription)
        }
        return uid.message
    }
}
