/// The older public id forms of one vendor, named by their first letter (contracts of its public documents).
///
/// Only the layout of `w` could be read off a published example: base58 fields joined by `_`, empty for 0. Its last
/// field is 32 bits wide and no known checksum of the rest; `u`, `m` and `f` are documented by name and use only.
enum VendorID {
    private struct Family {
        var letter: UInt8
        var name: String
        var use: String
        var isLayoutKnown: Bool
    }

    private static let families: [Family] = [
        Family(
            letter: UInt8(ascii: "u"), name: "altcraft-u", use: "USMID: unique id, as hooks send it",
            isLayoutKnown: false),
        Family(
            letter: UInt8(ascii: "m"), name: "altcraft-m", use: "ESMID: safe for e-mail headers", isLayoutKnown: false),
        Family(
            letter: UInt8(ascii: "f"), name: "altcraft-f", use: "FSMID: full id", isLayoutKnown: false),
        Family(
            letter: UInt8(ascii: "w"), name: "altcraft-w", use: "SMID: versions 2022.3.66 and earlier",
            isLayoutKnown: true),
    ]

    /// Shorter texts are words, not ids: a time alone takes 11 characters.
    private static let textBytesMin = 12

    static func isPrefixed(_ text: String) -> Bool {
        Self.families.contains { $0.letter == text.utf8.first }
    }

    static func decode(_ text: String) throws(MessageIDError) -> DecodedID? {
        guard let family = Self.families.first(where: { $0.letter == text.utf8.first }) else { return nil }
        guard text.utf8.count >= Self.textBytesMin else {
            throw MessageIDError(.truncated, "Shorter than any id of this form.")
        }
        guard text.utf8.allSatisfy(Self.isOfAlphabet) else {
            throw MessageIDError(.alphabet, "The id has a character that its form does not use.")
        }
        var decoded = DecodedID(family: family.name)
        decoded.fields = [("use", family.use)]
        let rest = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        if family.isLayoutKnown {
            decoded.fields += try Self.older(rest)
        } else {
            decoded.fields.append(("opaque", rest))
        }
        return decoded
    }

    /// Base58 and the separators; the e-mail form also the letters that base58 leaves out, and `-`.
    private static func isOfAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The fields of `w`: time, account, campaign, two numbers, two unused, `database.profile`, check.
    private static func older(_ text: String) throws(MessageIDError) -> [(name: String, value: String)] {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3 else { throw MessageIDError(.truncated, "The id has too few parts.") }
        var fields = [
            ("sent_at", UnixTime.text(nanoseconds: try Base58.number(parts[0].utf8Span.span, "send time"))),
            ("account_id", String(try Self.number(parts[1], "account"))),
            ("campaign_id", String(try Self.number(parts[2], "campaign"))),
        ]
        for (index, part) in parts.enumerated().dropFirst(3) {
            let name = "field_\(index + 1)"
            if index == parts.count - 1 {
                fields.append(("check", "\(part) (opaque: no known checksum of the rest)"))
            } else if let separator = part.firstIndex(of: ".") {
                fields.append(("database_id", String(try Self.number(String(part[..<separator]), "database"))))
                fields.append(("profile_id", try Self.profile(String(part[part.index(after: separator)...])).text))
            } else if part.isEmpty {
                fields.append((name, "0 (empty)"))
            } else {
                let presumed = index == 3 ? " (presumably the resource)" : index == 4 ? " (presumably the channel)" : ""
                fields.append((name, String(try Self.number(part, "field")) + presumed))
            }
        }
        return fields
    }

    private static func number(_ text: String, _ field: StaticString) throws(MessageIDError) -> UInt64 {
        text.isEmpty ? 0 : try Base58.number(text.utf8Span.span, field)
    }

    /// Up to 128 bits, so more than one word.
    private static func profile(_ text: String) throws(MessageIDError) -> ProfileID {
        guard text.utf8.count <= 22 else { throw MessageIDError(.outOfRange, "The profile is too large.") }
        var bytes = ShortBytes()
        guard Base58.appendBytes(of: text.utf8Span.span, to: &bytes) else {
            throw MessageIDError(.alphabet, "The profile has a character that is not base58.")
        }
        guard bytes.count <= 16 else { throw MessageIDError(.outOfRange, "The profile is too large.") }
        return bytes.withSpan { span in
            var value: UInt128 = 0
            for index in span.indices { value = value << 8 | UInt128(span[index]) }
            return ProfileID(value)
        }
    }
}
