/// Base58 in the Flickr alphabet: digits, then lower case, then upper case, without `0 O I l`.
///
/// A number is written without leading `1`s; a byte string as bitcoin does, one `1` for each leading zero byte and then
/// the big-endian number. Both are one to one: what reads back is what was written, and nothing else reads as it.
package enum Base58 {
    package static let alphabet: [UInt8] = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    /// The longest byte string written, and the longest text read. 120 digits fit into 11 words of 64 bits.
    package static let bytesMax = 87
    package static let digitsMax = 120

    /// 0xff where the byte is no digit.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in Self.alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    // MARK: Numbers

    package static func append(_ number: UInt64, to text: inout ShortBytes) {
        var digits = InlineArray<11, UInt8>(repeating: 0)
        var index = 11
        var rest = number
        repeat {
            index &-= 1
            digits[index] = Self.alphabet[Int(rest % 58)]
            rest /= 58
        } while rest != 0
        text.append(digits.span.extracting(index..<11))
    }

    /// Reads a number 0 … 2^64−1; `field` names it in errors.
    package static func number(_ text: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt64 {
        if text.isEmpty { throw MessageIDError(.truncated, "The \(field) is missing.") }
        var number: UInt64 = 0
        var isTooLarge = text.count > 11
        for index in text.indices {
            let value = Self.values[Int(text[index])]
            if value == 0xff { throw MessageIDError(.alphabet, "The \(field) has a character that is not base58.") }
            let (product, overflow) = number.multipliedReportingOverflow(by: 58)
            let (sum, carry) = product.addingReportingOverflow(UInt64(value))
            isTooLarge = isTooLarge || overflow || carry
            number = sum
        }
        if text.count > 1 && text[0] == Self.alphabet[0] {
            throw MessageIDError(.nonMinimal, "The \(field) has leading 1s, which stand for zeros.")
        }
        if isTooLarge { throw MessageIDError(.outOfRange, "The \(field) is too large.") }
        return number
    }
}
