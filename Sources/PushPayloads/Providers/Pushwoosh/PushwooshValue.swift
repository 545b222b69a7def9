import StrictJSON

/// How the values are read that only Pushwoosh's notifications have.
enum PushwooshValue {
    static let richMediaBytesMax = 32
    static let colorNameBytesMax = 32

    /// true, false, 0 or 1; the digits also as a string.
    static func flag(_ value: JSONValue) throws(FieldReason) -> Bool {
        if case .bool(let bool) = value { return bool }
        return try FieldValue.integer(value, in: 0...1) == 1
    }

    static func ttl(_ value: JSONValue) throws(FieldReason) -> Int64 {
        try FieldValue.integer(value, in: 0...PushLimits.ttlSecondsMax)
    }

    static func badges(_ value: JSONValue) throws(FieldReason) -> Int64 {
        try FieldValue.integer(value, in: 0...PushLimits.badgeMax)
    }

    /// A number of badges, or as a string with a sign a change to what is there, which the SDK adds.
    static func androidBadges(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value, let sign = text.first, sign == "+" || sign == "-" else {
            return String(try Self.badges(value))
        }
        return String(sign) + String(try Self.badges(.string(String(text.dropFirst()))))
    }

    /// An object that a payload may have room for as JSON.
    static func object(_ value: JSONValue) throws(FieldReason) -> [PayloadMember] {
        try CustomData.requireRoom(for: value, .json)
        guard case .object(let members) = PayloadNode(value) else {
            throw FieldReason(code: .type, detail: "Must be an object.")
        }
        return members
    }

    /// A page's code, `1E23F-EDCD6`: its first two characters are folders of its address.
    static func richMedia(_ value: JSONValue) throws(FieldReason) -> String {
        let code = try Self.string(value)
        let parts = code.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard code.utf8.count <= Self.richMediaBytesMax, parts.count == 2, parts[0].count >= 2, !parts[1].isEmpty,
            parts.allSatisfy({ $0.allSatisfy { Self.isLetter($0) || Self.isDigit($0) } })
        else {
            throw FieldReason(
                code: .invalid,
                detail: "Must be a rich media code: letters and digits with one dash after the second or a later one, "
                    + "of at most \(Self.richMediaBytesMax) bytes.")
        }
        return code
    }

    /// `#RRGGBB`, given in lower case as Pushwoosh writes it.
    static func led(_ value: JSONValue) throws(FieldReason) -> String {
        let color = try FieldValue.color(value)
        guard color.utf8.count == 7 else {
            throw FieldReason(code: .invalid, detail: "Must be a colour as #RRGGBB.")
        }
        return color.lowercased()
    }

    /// `#RRGGBB`, `#AARRGGBB` or a colour's name, which the phone knows or ignores.
    static func colorOrName(_ value: JSONValue) throws(FieldReason) -> String {
        let text = try Self.string(value)
        if (1...Self.colorNameBytesMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isLetter) { return text }
        guard text.hasPrefix("#") else {
            throw FieldReason(
                code: .invalid, detail: "Must be a colour as #RRGGBB or #AARRGGBB, or a colour's name in letters.")
        }
        return try FieldValue.color(value)
    }

    /// `now`, or `YYYY-MM-DD HH:MM` with or without `:SS`.
    static func checkSendDate(_ value: JSONValue) throws(FieldReason) {
        let text = try Self.string(value)
        guard text == "now" || Self.isDateAndTime(Array(text.utf8)) else {
            throw FieldReason(code: .invalid, detail: "Must be now, or a date and time as YYYY-MM-DD HH:MM.")
        }
    }

    private static func isDateAndTime(_ bytes: [UInt8]) -> Bool {
        let pattern = Array("0000-00-00 00:00:00".utf8)
        guard bytes.count == pattern.count || bytes.count == pattern.count - 3,
            zip(bytes, pattern).allSatisfy({ Self.isDigit($1) ? Self.isDigit($0) : $0 == $1 })
        else { return false }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let year = number(0..<4)
        let month = number(5..<7)
        guard (1...12).contains(month) else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(number(8..<10)) && number(11..<13) < 24 && number(14..<16) < 60
            && (bytes.count < pattern.count || number(17..<19) < 60)
    }

    private static func string(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        return text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
