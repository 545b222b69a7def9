/// Reads an id's bytes from front to back; every read says why it can't.
///
/// It holds only a position: the span is passed to each call, because a span can't be stored without experimental
/// lifetime features.
struct BodyReader {
    private(set) var offset = 0

    /// One byte.
    @inline(__always)
    mutating func byte(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt8 {
        guard self.offset < bytes.count else { throw Self.truncated(field) }
        let byte = bytes[self.offset]
        self.offset &+= 1
        return byte
    }

    /// A minimal varint of at most ten bytes. What the bits mean beyond that is for the caller to check.
    mutating func varint(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt128 {
        let (value, goesOn) = try self.lowBits(bytes, field)
        return goesOn ? UInt128(value) | UInt128(try self.lastByte(bytes, field)) << 63 : UInt128(value)
    }

    /// A minimal varint 0 … 2^63−1.
    @inline(__always)
    mutating func id(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> Int64 {
        let (value, goesOn) = try self.lowBits(bytes, field)
        if goesOn {
            _ = try self.lastByte(bytes, field)
            throw Self.tooLarge(field)
        }
        return Int64(bitPattern: value)
    }

    /// A minimal varint 0 … 2^64−1.
    @inline(__always)
    mutating func time(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt64 {
        let (value, goesOn) = try self.lowBits(bytes, field)
        if !goesOn { return value }
        let last = try self.lastByte(bytes, field)
        guard last == 1 else { throw Self.tooLarge(field) }
        return value | 1 << 63
    }

    /// Up to nine bytes, 63 bits; whether one more follows.
    @inline(__always)
    private mutating func lowBits(
        _ bytes: Span<UInt8>, _ field: StaticString
    ) throws(MessageIDError) -> (value: UInt64, goesOn: Bool) {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 63 {
            let byte = try self.byte(bytes, field)
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 {
                if byte == 0 && shift > 0 { throw Self.nonMinimal(field) }
                return (value, false)
            }
            shift &+= 7
        }
        return (value, true)
    }

    /// The tenth byte, which brings at most seven bits more.
    private mutating func lastByte(_ bytes: Span<UInt8>, _ field: StaticString) throws(MessageIDError) -> UInt8 {
        let last = try self.byte(bytes, field)
        if last == 0 { throw Self.nonMinimal(field) }
        guard last < 0x80 else { throw Self.tooLarge(field) }
        return last
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

    private static func truncated(_ field: StaticString) -> MessageIDError {
        MessageIDError(.truncated, "The id ends before its \(field).")
    }

    private static func tooLarge(_ field: StaticString) -> MessageIDError {
        MessageIDError(.outOfRange, "The \(field) is too large.")
    }

    private static func nonMinimal(_ field: StaticString) -> MessageIDError {
        MessageIDError(.nonMinimal, "The \(field) is written longer than it must be.")
    }
}
