/// A token's two texts: base64url without padding (RFC 4648 section 5) and hexadecimal.
enum TokenText {
    case base64URL
    case hexadecimal

    static let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)

    private static let base64Digits: [UInt8] =
        Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Both alphabets' values, 0xff where a byte is no digit. Hexadecimal is read in any case.
    private static let base64Values = Self.values(Self.base64Digits)
    private static let hexValues = Self.values(Self.hexDigits + Array("ABCDEF".utf8), from: 16, less: 6)

    private static func values(_ digits: [UInt8], from repeated: Int = .max, less: Int = 0) -> [UInt8] {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in digits.enumerated() {
            values[Int(digit)] = UInt8(value < repeated ? value : value - less)
        }
        return values
    }

    func textBytes(_ count: Int) -> Int {
        switch self {
        case .base64URL: (count * 4 + 2) / 3
        case .hexadecimal: count * 2
        }
    }

    var textBytesMax: Int { self.textBytes(LinkToken.bytesMax) }

    // MARK: Writing

    /// Writes the text of `bytes`; `text` has room for ``textBytes(_:)`` of them.
    func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableBufferPointer<UInt8>) {
        precondition(text.count >= self.textBytes(bytes.count))
        switch self {
        case .base64URL: Self.encodeBase64URL(bytes, text)
        case .hexadecimal:
            Self.hexDigits.withUnsafeBufferPointer { digits in
                for index in 0..<bytes.count {
                    text[2 &* index] = digits[Int(bytes[index] >> 4)]
                    text[2 &* index &+ 1] = digits[Int(bytes[index] & 15)]
                }
            }
        }
    }

    private static func encodeBase64URL(_ bytes: UnsafeRawBufferPointer, _ text: UnsafeMutableBufferPointer<UInt8>) {
        self.base64Digits.withUnsafeBufferPointer { digits in
            var from = 0
            var to = 0
            while from &+ 3 <= bytes.count {
                let group =
                    UInt32(bytes[from]) << 16 | UInt32(bytes[from &+ 1]) << 8 | UInt32(bytes[from &+ 2])
                text[to] = digits[Int(group >> 18)]
                text[to &+ 1] = digits[Int(group >> 12 & 63)]
                text[to &+ 2] = digits[Int(group >> 6 & 63)]
                text[to &+ 3] = digits[Int(group & 63)]
                from &+= 3
                to &+= 4
            }
            let rest = bytes.count - from
            if rest == 0 { return }
            let group = UInt32(bytes[from]) << 16 | (rest == 2 ? UInt32(bytes[from + 1]) << 8 : 0)
            text[to] = digits[Int(group >> 18)]
            text[to + 1] = digits[Int(group >> 12 & 63)]
            if rest == 2 { text[to + 2] = digits[Int(group >> 6 & 63)] }
        }
    }

    // MARK: Reading

    /// Reads a token's text; how many bytes it stands for, or what is wrong with it.
    func decode(
        _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Result<Int, Damage> {
        if text.count > self.textBytesMax { return .failure(Damage(kind: .overlong)) }
        let (count, isWhole) =
            switch self {
            case .base64URL: Self.decodeBase64URL(text, bytes)
            case .hexadecimal: Self.decodeHexadecimal(text, bytes)
            }
        guard let count else { return .failure(Damage(kind: Self.foreignDamage(text))) }
        if !isWhole || count < LinkToken.bytesMin { return .failure(Damage(kind: .truncated)) }
        return .success(count)
    }

    struct Damage: Error { var kind: LinkDamage }

    /// nil when a character is foreign; `isWhole` is false when the length or the last character's spare bits are not
    /// those of whole bytes.
    private static func decodeBase64URL(
        _ text: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int?, isWhole: Bool) {
        self.base64Values.withUnsafeBufferPointer { values in
            var from = 0
            var to = 0
            // The top bits of all values together: a foreign character sets them.
            var seen: UInt32 = 0
            while from &+ 4 <= text.count {
                let first = UInt32(values[Int(text[from])])
                let second = UInt32(values[Int(text[from &+ 1])])
                let third = UInt32(values[Int(text[from &+ 2])])
                let fourth = UInt32(values[Int(text[from &+ 3])])
                seen |= first | second | third | fourth
                let group = first << 18 | second << 12 | third << 6 | fourth
                bytes[to] = UInt8(truncatingIfNeeded: group >> 16)
                bytes[to &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
                bytes[to &+ 2] = UInt8(truncatingIfNeeded: group)
                from &+= 4
                to &+= 3
            }
            let rest = text.count - from
            var group: UInt32 = 0
            for index in from..<text.count {
                let value = UInt32(values[Int(text[index])])
                seen |= value
                group = group << 6 | value
            }
            if seen >= 64 { return (nil, false) }
            switch rest {
            case 0: return (to, true)
            case 2:
                bytes[to] = UInt8(truncatingIfNeeded: group >> 4)
                return (to + 1, group & 15 == 0)
            case 3:
                bytes[to] = UInt8(truncatingIfNeeded: group >> 10)
                bytes[to + 1] = UInt8(truncatingIfNeeded: group >> 2)
                return (to + 2, group & 3 == 0)
            default: return (to, false)
            }
        }
    }

    private static func decodeHexadecimal(
        _ text: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int?, isWhole: Bool) {
        self.hexValues.withUnsafeBufferPointer { values in
            var seen: UInt8 = 0
            for index in 0..<text.count / 2 {
                let high = values[Int(text[2 &* index])]
                let low = values[Int(text[2 &* index &+ 1])]
                seen |= high | low
                bytes[index] = high << 4 | low & 15
            }
            if text.count % 2 == 1, let last = text.last { seen |= values[Int(last)] }
            return seen >= 16 ? (nil, false) : (text.count / 2, text.count % 2 == 0)
        }
    }

    /// Fills `bytes` from exactly twice as many digits.
    static func decodeHexadecimal(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
        guard text.count == bytes.count * 2 else { return false }
        return text.withUnsafeBufferPointer { text in
            bytes.withUnsafeMutableBufferPointer { Self.decodeHexadecimal(text, $0) == (text.count / 2, true) }
        }
    }

    /// Quoted-printable writes `=` and two digits, or `=` and a line break.
    private static func foreignDamage(_ text: UnsafeBufferPointer<UInt8>) -> LinkDamage {
        for index in text.indices where text[index] == UInt8(ascii: "=") && index + 1 < text.count {
            if text[index + 1] == 0x0d || text[index + 1] == 0x0a { return .quotedPrintable }
            if index + 2 < text.count, Self.hexValues[Int(text[index + 1])] < 16,
                Self.hexValues[Int(text[index + 2])] < 16
            {
                return .quotedPrintable
            }
        }
        return .alphabet
    }

    /// Whether all letters have one case, and there are enough of them for that to be no accident.
    static func isCaseFolded(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var lower = 0
        var upper = 0
        for byte in text {
            if byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") { lower += 1 }
            if byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") { upper += 1 }
        }
        return min(lower, upper) == 0 && max(lower, upper) >= 25
    }
}
