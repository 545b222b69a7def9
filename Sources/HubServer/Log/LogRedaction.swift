/// The last guard before a log line: nobody should log a secret, and if somebody does it does not get out.
///
/// Hidden are values of fields that name a secret, bearer tokens, API tokens, passwords of connection strings,
/// `matching_mode` values, and what follows a hub link's path: a link is as good as the token in it.
enum LogRedaction {
    static let mark = "[redacted]"

    private static let secretFields: Set<String> = [
        "authorization", "token", "key", "password", "secret", "matching_mode", "url", "target", "cookie",
    ]
    /// What follows one of these is hidden: one word, after what may stand before it (quotes, `:`, `=`, spaces).
    private static let openers = [
        "bearer ", "ackhub_", "carillon_mk_", "rtoken@", "/ack/", "/open/", "crypto_post_events", "matching_mode",
        "token=", "<token>",
        "\"token\"",
    ]
    /// And here the rest of the line.
    private static let lineOpener = "authorization"

    static func clean(_ value: String, field: String) -> String {
        Self.secretFields.contains(field.lowercased()) ? Self.mark : Self.clean(value)
    }

    /// Longer texts are cut before they are looked at: the line is cut shorter anyway.
    static let textBytesMax = 8_192

    static func clean(_ text: String) -> String {
        var result = text
        if result.utf8.count > Self.textBytesMax {
            result = String(decoding: result.utf8.prefix(Self.textBytesMax), as: UTF8.self)
        }
        if result.contains("password") || result.contains("://") { result = SecretMask.mask(result) }
        for opener in Self.openers { result = Self.hide(after: opener, isLine: false, in: result) }
        return Self.hide(after: Self.lineOpener, isLine: true, in: result)
    }

    private static func hide(after opener: String, isLine: Bool, in text: String) -> String {
        let bytes = Array(text.utf8)
        let wanted = Array(opener.utf8)
        var result: [UInt8] = []
        var index = 0
        var isChanged = false
        while index < bytes.count {
            guard Self.matches(bytes, at: index, wanted) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += bytes[index..<index + wanted.count]
            index += wanted.count
            while index < bytes.count, Self.separators.contains(bytes[index]) {
                result.append(bytes[index])
                index += 1
            }
            let start = index
            while index < bytes.count, !Self.ends(bytes[index], isLine: isLine) { index += 1 }
            if index > start {
                result += Self.mark.utf8
                isChanged = true
            }
        }
        return isChanged ? String(decoding: result, as: UTF8.self) : text
    }

    private static let separators = Set(" \t\"'\\:=".utf8)

    private static func ends(_ byte: UInt8, isLine: Bool) -> Bool {
        if isLine { return byte == 0x0A || byte == 0x0D }
        return byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: ",")
            || byte == UInt8(ascii: "}")
    }

    /// Without regard to ASCII case; `wanted` is lower case.
    private static func matches(_ bytes: [UInt8], at index: Int, _ wanted: [UInt8]) -> Bool {
        guard bytes.count - index >= wanted.count else { return false }
        for (offset, byte) in wanted.enumerated() {
            let found = bytes[index + offset]
            let lower = found >= 65 && found <= 90 ? found | 0x20 : found
            if lower != byte { return false }
        }
        return true
    }
}
