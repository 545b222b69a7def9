import StrictJSON

/// The readings of `PushMessage`'s fields.
extension FieldValue {
    static func text(_ value: JSONValue) throws(FieldReason) -> String {
        try Self.string(value, bytesMax: PushLimits.textBytesMax)
    }

    /// A text that is not empty, of at most 256 bytes.
    static func name(_ value: JSONValue) throws(FieldReason) -> String {
        let text = try Self.string(value, bytesMax: PushLimits.nameBytesMax)
        guard !text.isEmpty else { throw FieldReason(code: .empty, detail: "Must not be empty: leave it out.") }
        return text
    }

    /// A web address, or the name of an asset of the app: any text without control characters.
    ///
    /// What has a `://` is meant as an address and checked as one.
    static func icon(_ value: JSONValue) throws(FieldReason) -> String {
        let text = try Self.string(value, bytesMax: PushLimits.urlBytesMax)
        let isValid =
            if text.utf8.firstRange(of: "://".utf8) != nil {
                Self.isOfWeb(text) && (try? Self.link(value)) != nil
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
}
