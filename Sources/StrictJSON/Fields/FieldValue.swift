/// How JSON values are read as what they mean, each refusal with its reason. A module adds its own readings in an extension.
///
/// Integers come as numbers or strings and are exact at any size: no value passes through a double.
package enum FieldValue {
    package static func integer(_ value: JSONValue, in range: ClosedRange<Int64>) throws(FieldReason) -> Int64 {
        let text: String
        switch value {
        case .number(let digits), .string(let digits): text = digits
        default: throw FieldReason(code: .type, detail: "Must be an integer or a string of digits.")
        }
        guard let integer = try Self.digits(text), range.contains(integer) else {
            throw FieldReason(
                code: .outOfRange, detail: "Must be an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return integer
    }

    /// A decimal integer without fraction, exponent or plus sign; nil beyond 64 bits.
    private static func digits(_ text: String) throws(FieldReason) -> Int64? {
        let bytes = text.utf8
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw FieldReason(code: .invalid, detail: "Must be an integer in decimal digits.")
        }
        return Int64(text)
    }

    package static func bool(_ value: JSONValue) throws(FieldReason) -> Bool {
        guard case .bool(let bool) = value else { throw FieldReason(code: .type, detail: "Must be true or false.") }
        return bool
    }

    /// Any text of at most `bytesMax` bytes of UTF-8.
    package static func string(_ value: JSONValue, bytesMax: Int) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard text.utf8.count <= bytesMax else {
            throw FieldReason(code: .tooLong, detail: "Must have at most \(bytesMax) bytes of UTF-8.")
        }
        return text
    }
}
