/// The spool records' bytes. Little-endian; the first byte names type and version, so that a later hub reads what an earlier
/// one left on disk.
///
/// | event, `0x11` | bytes |
/// |---|---|
/// | kind, dialect, class, flags, address length (0, 4, 16), has device time (0, 1), body length | 1 each |
/// | received at, UNIX ns | 8 |
/// | device time, UNIX ns, if it has one | 8 |
/// | address, network order | 0, 4 or 16 |
/// | SendMessageID body | body length |
/// | user agent, UTF-8 without NUL | the rest, at most 512 |
///
/// | sent count, `0x21` | bytes |
/// |---|---|
/// | flags: bit 0 test, bit 1 has request | 1 |
/// | channel, provider | 1 each |
/// | account, campaign, launched at, resource, sent at, count | 8 each |
/// | request, if it has one | 16 |
///
/// | minted message, `0x31` | bytes |
/// |---|---|
/// | SendMessageID body | the rest |
enum RecordFormat {
    static let eventVersion1: UInt8 = 0x11
    static let sentCountVersion1: UInt8 = 0x21
    static let mintedMessageVersion1: UInt8 = 0x31

    /// Type, seven single bytes and the receipt time.
    static let eventHeaderBytes = 16
    static let sentCountBytes = 4 + 6 * 8
    static let sentIsTest: UInt8 = 1
    static let sentHasRequest: UInt8 = 2

    static func append<Integer: FixedWidthInteger>(_ value: Integer, to bytes: inout [UInt8]) {
        var rest = value
        for _ in 0..<Integer.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    static func load<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, from bytes: RawSpan, at offset: Int
    ) -> Integer {
        // Bounds are checked by the span.
        Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
