/// ASCII comparisons on raw bytes, for the device path: no allocation, no String.
extension RawSpan {
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { self.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Upper-case ASCII letters become lower case.
    @inline(__always)
    func lowercased(_ offset: Int) -> UInt8 {
        let byte = self.byte(offset)
        return byte &- 65 < 26 ? byte | 0x20 : byte
    }

    /// Whether the range's text is `text` (lower-case ASCII), without regard to case.
    @inline(__always)
    func equalsLowercased(_ range: Range<Int>, _ text: StaticString) -> Bool {
        range.count == text.utf8CodeUnitCount && self.hasLowercasedPrefix(range, text)
    }

    @inline(__always)
    func hasLowercasedPrefix(_ range: Range<Int>, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard range.count >= count else { return false }
        let wanted = text.utf8Start
        for offset in 0..<count where self.lowercased(range.lowerBound &+ offset) != wanted[offset] { return false }
        return true
    }

    func containsLowercased(_ range: Range<Int>, _ text: StaticString) -> Bool {
        var from = range.lowerBound
        while range.upperBound - from >= text.utf8CodeUnitCount {
            if self.hasLowercasedPrefix(from..<range.upperBound, text) { return true }
            from += 1
        }
        return false
    }

    /// Without spaces and tabs at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self.byte(lower) == 0x20 || self.byte(lower) == 0x09 { lower += 1 }
        while lower < upper, self.byte(upper - 1) == 0x20 || self.byte(upper - 1) == 0x09 { upper -= 1 }
        return lower..<upper
    }
}
