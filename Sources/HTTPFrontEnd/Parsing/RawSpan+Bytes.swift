/// The parsers' way to bytes: the only unsafe loads of this module's parsing, each inside bounds that its caller holds.
extension RawSpan {
    /// The byte at `offset`, which must be inside: checked in debug builds, and by the callers' loops.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < self.byteCount)
        return self.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Eight bytes from `offset` on, the first one lowest.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        assert(offset >= 0 && offset + 8 <= self.byteCount)
        return self.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    }

    /// Whether the bytes from `offset` on are that lower-case text, in any case of letters.
    @inline(__always)
    func equalsIgnoringCase(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, offset + count <= self.byteCount else { return false }
        let expected = text.utf8Start
        for index in 0..<count {
            var byte = self.byte(offset &+ index)
            if byte &- 0x41 < 26 { byte |= 0x20 }
            if byte != expected[index] { return false }
        }
        return true
    }

    /// As `equalsIgnoringCase(_:at:)`, over exactly that range.
    @inline(__always)
    func equalsIgnoringCase(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && self.equalsIgnoringCase(text, at: range.lowerBound)
    }
}

/// Eight bytes at once (Hacker's Delight 6-1).
enum ByteWord {
    @inline(__always) static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inline(__always) static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// How many bytes come before the first that is below `limit` (at most 0x80) or DEL: 0 … 8.
    @inline(__always)
    static func bytesBeforeControl(_ word: UInt64, below limit: UInt64 = 0x20) -> Int {
        let below = (word &- self.ones &* limit) & ~word
        let delete = word ^ (self.ones &* 0x7f)
        // A borrow marks wrong bytes only behind a right one, so the lowest mark is exact.
        let marks = (below | ((delete &- self.ones) & ~delete)) & self.highs
        return marks.trailingZeroBitCount / 8
    }
}
