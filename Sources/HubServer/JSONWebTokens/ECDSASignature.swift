/// A signature by P-256 in its two forms.
enum ECDSASignature {
    private static let integerBytes = 32

    /// What OpenSSL reads, DER of the two integers (RFC 3279 section 2.2.3), from what a JWS holds: r and s in 32 bytes
    /// each (RFC 7518 section 3.4). nil when it is not 64 bytes.
    static func der(ofJWS signature: [UInt8]) -> [UInt8]? {
        guard signature.count == 2 * Self.integerBytes else { return nil }
        let body = Self.integer(signature[..<Self.integerBytes]) + Self.integer(signature[Self.integerBytes...])
        // At most 70 bytes, so that every length fits in one.
        return [0x30, UInt8(body.count)] + body
    }

    /// The shortest form: no zeros in front, but for one where the first bit would be taken for a sign.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] & 0x80 != 0 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
