/// Unsigned LEB128, minimal: seven bits a byte, the lowest first, the top bit set on all but the last.
///
/// A longer form of the same number is refused, so a number has one text (design section 3).
package enum Varint {
    /// The longest that is written or read.
    package static let bytesMax = 10

    @inline(__always)
    package static func append(_ value: UInt64, to bytes: inout ByteWriter) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// At most 70 bits.
    package static func append(_ value: UInt128, to bytes: inout ByteWriter) {
        var rest = value
        while rest > UInt128(UInt64.max) {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.append(UInt64(truncatingIfNeeded: rest), to: &bytes)
    }

    /// How many bytes `value` takes.
    package static func byteCount(_ value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }

    package static func byteCount(_ value: UInt128) -> Int { (134 - (value | 1).leadingZeroBitCount) / 7 }
}
