/// A 128-bit number as UUID text (RFC 9562 section 4): lower case written, any case read.
enum UUIDText {
    static func text(_ value: UInt128) -> String {
        var text = ShortBytes()
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digits[Int(truncatingIfNeeded: value >> UInt128((31 - index) * 4) & 15)])
        }
        return text.text
    }

    static func value(_ text: Span<UInt8>) -> UInt128? {
        guard text.count == 36 else { return nil }
        var value: UInt128 = 0
        for index in 0..<36 {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Self.hexDigit(text[index]) else { return nil }
                value = value << 4 | UInt128(digit)
            }
        }
        return value
    }

    /// Plain hexadecimal digits, at most 32.
    static func hexadecimal(_ text: Span<UInt8>) -> UInt128? {
        guard text.count <= 32 else { return nil }
        var value: UInt128 = 0
        for index in text.indices {
            guard let digit = Self.hexDigit(text[index]) else { return nil }
            value = value << 4 | UInt128(digit)
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)
}
