/// Byte scans that the reader and the writer share.

/// The top bit of every byte of `word` that a JSON string can't hold plain: a quote, a backslash, below 0x20.
///
/// Bytes above the lowest one found may be marked wrongly (a borrow runs upwards), so only the lowest mark counts.
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let isControl = (word &- ones &* 0x20) & ~word
    let isQuote = (quote &- ones) & ~quote
    let isBackslash = (backslash &- ones) & ~backslash
    return (isControl | isQuote | isBackslash) & tops
}

@inline(__always)
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The index of the first byte that begins no well-formed sequence (Unicode 15, table 3-7), or nil.
func firstInvalidUTF8(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    var index = bytes.startIndex
    while index < bytes.endIndex {
        let lead = bytes[index]
        if lead < 0x80 {
            index += 1
            continue
        }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch lead {
        case 0xc2...0xdf: length = 2
        case 0xe0...0xef:
            length = 3
            if lead == 0xe0 { second = 0xa0...0xbf }
            if lead == 0xed { second = 0x80...0x9f }
        case 0xf0...0xf4:
            length = 4
            if lead == 0xf0 { second = 0x90...0xbf }
            if lead == 0xf4 { second = 0x80...0x8f }
        default: return index
        }
        guard bytes.endIndex - index >= length, second.contains(bytes[index + 1]) else { return index }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xc0 != 0x80 { return index }
        index += length
    }
    return nil
}
