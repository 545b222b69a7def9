import StrictJSON

/// The readings of `PushMessage`'s fields.
extension FieldValue {
    static func text(_ value: JSONValue) throws(FieldReason) -> String {
        try Self.string(value, bytesMax: PushMessage.textBytesMax)
    }

    /// A text that is not empty, of at most 256 bytes.
    static func name(_ value: JSONValue) throws(FieldReason) -> String {
        let text = try Self.string(value, bytesMax: PushMessage.nameBytesMax)
        guard !text.isEmpty else { throw FieldReason(code: .empty, detail: "Must not be empty: leave it out.") }
        return text
    }

    /// A web address, or the name of an asset of the app: any text without control characters.
    ///
    /// What has a `://` is meant as an address and checked as one.
    static func icon(_ value: JSONValue) throws(FieldReason) -> String {
        let text = try Self.string(value, bytesMax: Self.urlBytesMax)
        let separator = "://".utf8
        let isValid =
            if let place = text.utf8.firstRange(of: separator) {
                (try? Self.link(value)) != nil && Self.isOfWeb(text)
                    && text.utf8[place.upperBound...].first.map { !"/?#:@".utf8.contains($0) } == true
            } else {
                !text.isEmpty && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
        guard isValid else {
            throw FieldReason(
                code: .invalid,
                detail: "Must be an https or http URL, or the name of an asset without control characters.")
        }
        return text
    }

    /// `high` or `normal`, in any case.
    static func priority(_ value: JSONValue) throws(FieldReason) -> PushPriority {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        switch text.lowercased() {
        case "high": return .high
        case "normal": return .normal
        default: throw FieldReason(code: .unknownValue, detail: "Must be high or normal.")
        }
    }

    /// Whether a link is a web address and no deeplink.
    static func isOfWeb(_ link: String) -> Bool {
        let scheme = link.utf8.prefix { $0 != UInt8(ascii: ":") }
        return ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }
}
