/// Crockford's base32 without its look-alikes: lower case written, any case read, `i l o u` refused.
package enum Crockford32 {
    package static let alphabet: [UInt8] = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The longest text read: 80 bytes and more than any id.
    package static let digitsMax = 140

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in Self.alphabet.enumerated() {
            values[Int(digit)] = UInt8(value)
            if digit >= UInt8(ascii: "a") { values[Int(digit & ~0x20)] = UInt8(value) }
        }
        return values
    }()

    /// Five bits a character from the front; the last character's missing bits are 0.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        var bits: UInt32 = 0
        var count = 0
        for index in bytes.indices {
            bits = bits << 8 | UInt32(bytes[index])
            count &+= 8
            while count >= 5 {
                count &-= 5
                text.append(Self.alphabet[Int(bits >> UInt32(count) & 31)])
            }
        }
        if count > 0 { text.append(Self.alphabet[Int(bits << UInt32(5 - count) & 31)]) }
    }

    /// What the characters after the last whole byte are.
    package enum Ending {
        case canonical
        /// The bits that pad the last character are not 0.
        case paddingNotZero
        /// A whole character too much (or the text was cut there).
        case surplusCharacter
        /// A character that is not of the alphabet, somewhere.
        case notOfAlphabet
    }

    /// Appends the whole bytes of at most ``digitsMax`` characters and says how the text ends.
    package static func appendBytes(of text: Span<UInt8>, to bytes: inout ShortBytes) -> Ending {
        precondition(text.count <= Self.digitsMax, "longer than any id")
        var bits: UInt32 = 0
        var count = 0
        for index in text.indices {
            let value = Self.values[Int(text[index])]
            if value == 0xff { return .notOfAlphabet }
            bits = bits << 5 | UInt32(value)
            count &+= 5
            if count >= 8 {
                count &-= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        if count >= 5 { return .surplusCharacter }
        return bits & (1 << UInt32(count) - 1) == 0 ? .canonical : .paddingNotZero
    }
}
