/// The UUID of a spool directory, in the usual text form.
enum SpoolIdentity {
    /// A UUID of version 4 (RFC 9562 section 5.4).
    static func random() -> UInt128 {
        var bits = UInt128.random(in: 0 ... .max)
        bits = bits & ~(UInt128(0xF) << 76) | UInt128(4) << 76
        return bits & ~(UInt128(3) << 62) | UInt128(2) << 62
    }

    static func text(_ identity: UInt128) -> String {
        let digits = String(identity, radix: 16)
        var text = ""
        for (index, digit) in (String(repeating: "0", count: 32 - digits.utf8.count) + digits).enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Nil unless it is 32 hex digits in the usual groups; a newline may follow.
    static func parse(_ text: String) -> UInt128? {
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard line.utf8.count == 36, let identity = UInt128(line.filter { $0 != "-" }, radix: 16),
            Self.text(identity) == line.lowercased()
        else { return nil }
        return identity
    }
}
