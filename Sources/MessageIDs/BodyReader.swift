/// Reads an id's bytes from front to back; every read says why it can't.
///
/// It holds only a position: the span is passed to each call, because a span can't be stored without experimental
/// lifetime features.
struct BodyReader {
    private(set) var offset = 0

    /// One byte.
    mutating func byte(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt8 {
        guard self.offset < bytes.count else { throw MessageIDError(.truncated, "The id ends before its \(field).") }
        let byte = bytes[self.offset]
        self.offset &+= 1
        return byte
    }

    /// A minimal varint of at most `bytesMax` bytes. What the bits mean beyond that is for the caller to check.
    mutating func varint(
        _ bytes: Span<UInt8>, _ field: StaticString, bytesMax: Int = 10
    ) throws(MessageIDError) -> UInt128 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 63 {
            let byte = try self.byte(bytes, field)
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 {
                if byte == 0 && shift > 0 { throw Self.nonMinimal(field) }
                return UInt128(value)
            }
            shift &+= 7
        }
        // Nine bytes gave 63 bits and more follow; the tenth brings at most seven.
        let last = try self.byte(bytes, field)
        if last == 0 { throw Self.nonMinimal(field) }
        guard bytesMax == 10, last < 0x80 else { throw MessageIDError(.outOfRange, "The \(field) is too large.") }
        return UInt128(value) | UInt128(last) << 63
    }

    /// A minimal varint 0 … 2^63−1.
    mutating func id(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> Int64 {
        // Nine bytes hold 63 bits exactly.
        Int64(truncatingIfNeeded: try self.varint(bytes, field, bytesMax: 9))
    }

    /// A minimal varint 0 … 2^64−1.
    mutating func time(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt64 {
        let value = try self.varint(bytes, field)
        guard let time = UInt64(exactly: value) else { throw MessageIDError(.outOfRange, "The \(field) is too large.") }
        return time
    }

    /// `count` big-endian bytes without leading zeros.
    mutating func number(
        _ bytes: Span<UInt8>, _ field: StaticString, count: Int
    ) throws(MessageIDError) -> UInt128 {
        guard count <= 16 else { throw MessageIDError(.outOfRange, "The \(field) is longer than 16 bytes.") }
        var value: UInt128 = 0
        for index in 0..<count {
            let byte = try self.byte(bytes, field)
            if index == 0 && byte == 0 { throw Self.nonMinimal(field) }
            value = value << 8 | UInt128(byte)
        }
        return value
    }

    private static func nonMinimal(_ field: StaticString) -> MessageIDError {
        MessageIDError(.nonMinimal, "The \(field) is written longer than it must be.")
    }
}
