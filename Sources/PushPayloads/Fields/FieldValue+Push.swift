import StrictJSON

/// The readings that messages of all vendors share.
extension FieldValue {
    /// An https URL with a host, as every provider wants its images (HMS, Carillon: a plain http one is refused).
    static func imageURL(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard Self.isAbsoluteURL(text), Self.scheme(of: text) == "https" else {
            throw FieldReason(
                code: .invalidImageURL,
                detail: "Must be an https URL with a host, without spaces, of at most "
                    + "\(PushLimits.urlBytesMax) bytes.")
        }
        return text
    }

    /// An absolute URL: a web address with a host, or a deeplink of any other scheme.
    static func link(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard Self.isAbsoluteURL(text) else {
            throw FieldReason(
                code: .invalid,
                detail: "Must be an absolute URL (https://…, app://…), with a host if it is a web address, without "
                    + "spaces, of at most \(PushLimits.urlBytesMax) bytes.")
        }
        return text
    }

    /// Whether a link is a web address and no deeplink.
    static func isOfWeb(_ link: String) -> Bool { ["http", "https"].contains(Self.scheme(of: link)) }

    /// `high` or `normal`, in any case.
    static func priority(_ value: JSONValue) throws(FieldReason) -> PushPriority {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        // Lower case: in upper case a dotless ı would be an I.
        switch text.lowercased() {
        case PushPriority.high.word: return .high
        case PushPriority.normal.word: return .normal
        default: throw FieldReason(code: .unknownValue, detail: "Must be high or normal.")
        }
    }

    /// `#RRGGBB` or `#AARRGGBB`, in any case.
    static func color(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw FieldReason(code: .invalid, detail: "Must be a colour as #RRGGBB or #AARRGGBB.") }
        return text
    }

    private static func isAbsoluteURL(_ text: String) -> Bool {
        guard text.utf8.count <= PushLimits.urlBytesMax, Self.isPlain(text), let scheme = Self.scheme(of: text),
            text.utf8.count > scheme.utf8.count + 1
        else { return false }
        return !Self.isOfWeb(text) || WebAddress.isSound(text)
    }

    /// In lower case; nil where there is none (RFC 3986, section 3.1).
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, Self.isLetter(first), scheme.allSatisfy(Self.isOfScheme) else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    /// No white space and nothing that RFC 3986 has no place for, but letters of any script: clients encode them.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !scalar.properties.isWhitespace
                && !(0x80...0x9F).contains(scalar.value) && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        Self.isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
}
