/// A profile: 0 … 2^128−1, so that a database key, a 96-bit ObjectId or a UUID all fit.
public struct ProfileID: Hashable, Sendable {
    public var value: UInt128

    public init(_ value: UInt128) { self.value = value }

    /// Reads a decimal number without leading zeros, a UUID, or 24 hexadecimal digits (an ObjectId).
    ///
    /// 24 decimal digits are read as an ObjectId: one in 90 000 of those has no letter, while numbers above 2^64 are
    /// never printed in decimal.
    public init?(text: String) {
        let span = text.utf8Span.span
        switch span.count {
        case 36:
            guard let value = UUIDText.value(span) ?? UInt128(canonical: text) else { return nil }
            self.init(value)
        case 24:
            guard let value = UUIDText.hexadecimal(span) else { return nil }
            self.init(value)
        default:
            guard let value = UInt128(canonical: text) else { return nil }
            self.init(value)
        }
    }

    /// In decimal below 2^64, else as a UUID.
    public var text: String {
        self.value <= UInt128(UInt64.max) ? String(UInt64(self.value)) : UUIDText.text(self.value)
    }
}

extension UInt128 {
    /// Decimal digits only: no sign, no leading zeros.
    fileprivate init?(canonical text: String) {
        guard let first = text.utf8.first, first != UInt8(ascii: "+") else { return nil }
        guard first != UInt8(ascii: "0") || text.utf8.count == 1 else { return nil }
        self.init(text)
    }
}
