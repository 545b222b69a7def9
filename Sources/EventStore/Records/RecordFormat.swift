/// The spool records' bytes. Little-endian; the first byte names type and version, so that a later hub reads what an earlier
/// one left on disk.
///
/// | event, `0x11`; with the report's name, `0x13` | bytes |
/// |---|---|
/// | kind, dialect, class, flags, address length (0, 4, 16), has device time (0, 1), body length | 1 each |
/// | received at, UNIX ns | 8 |
/// | report, of `0x13` only | 16 |
/// | device time, UNIX ns, if it has one | 8 |
/// | address, network order | 0, 4 or 16 |
/// | SendMessageID body | body length |
/// | user agent, UTF-8 without NUL | the rest, at most 512 |
///
/// | event of a message known by its key, `0x12`; with the report's name, `0x14` | bytes |
/// |---|---|
/// | kind, dialect, class, flags, address length (0, 4, 16), has device time (0, 1) | 1 each |
/// | received at, UNIX ns | 8 |
/// | account | 8 |
/// | message key | 16 |
/// | report, of `0x14` only | 16 |
/// | device time, UNIX ns, if it has one | 8 |
/// | address, network order, not masked | 0, 4 or 16 |
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
    static let keyedEventVersion1: UInt8 = 0x12
    static let namedEventVersion1: UInt8 = 0x13
    static let namedKeyedEventVersion1: UInt8 = 0x14
    static let sentCountVersion1: UInt8 = 0x21
    static let mintedMessageVersion1: UInt8 = 0x31

    /// Type, seven single bytes and the receipt time.
    static let eventHeaderBytes = 16
    /// Type, six single bytes, the receipt time, account and message key.
    static let keyedEventHeaderBytes = 39
    /// Behind the header of an event whose report names itself.
    static let reportBytes = 16
    static let sentCountBytes = 4 + 6 * 8
    /// Behind a sent count that has one.
    static let requestBytes = 16
    static let sentIsTest: UInt8 = 1
    static let sentHasRequest: UInt8 = 2

    static func load<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, from bytes: RawSpan, at offset: Int
    ) -> Integer {
        // Bounds are checked by the span.
        Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    static func loadAddress(from bytes: RawSpan, _ range: Range<Int>) -> UInt128 {
        var address: UInt128 = 0
        for offset in range { address = address << 8 | UInt128(self.load(UInt8.self, from: bytes, at: offset)) }
        return address
    }
}
