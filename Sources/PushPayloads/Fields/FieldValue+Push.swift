import StrictJSON

/// The readings that messages of all vendors share.
extension FieldValue {
    static let urlBytesMax = 2048

    /// An https URL with a host, as every provider wants its images (HMS, Carillon: a plain http one is refused).
    static func imageURL(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        let prefix = "https://"
        guard text.utf8.count <= Self.urlBytesMax, text.prefix(prefix.count).lowercased() == prefix,
            Self.isPlain(text), let first = text.dropFirst(prefix.count).utf8.first,
            !"/?#:@".utf8.contains(first)
        else {
            throw FieldReason(
                code: .invalidImageURL,
                detail: "Must be an https URL with a host, without spaces, of at most \(Self.urlBytesMax) bytes.")
        }
        return text
    }

    /// An absolute URL of any scheme: a web address or a deeplink.
    static func link(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard text.utf8.count <= Self.urlBytesMax, Self.isPlain(text), let first = scheme.first,
            Self.isLetter(first), scheme.allSatisfy(Self.isOfScheme), text.utf8.count > scheme.count + 1
        else {
            throw FieldReason(
                code: .invalid,
                detail: "Must be an absolute URL (https://…, app://…), without spaces, of at most "
                    + "\(Self.urlBytesMax) bytes.")
        }
        return text
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
