extension JSONWriter {
    /// Escapes what RFC 8259 section 7 demands and nothing else; what needs no escape is copied in runs.
    mutating func quoted(_ text: String) {
        self.bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            let input = UnsafeRawBufferPointer(utf8)
            var start = 0
            while start < input.count {
                let end = plainEnd(of: input, from: start)
                self.bytes.append(contentsOf: input[start..<end])
                guard end < input.count else { break }
                self.escape(input[end])
                start = end + 1
            }
        }
        self.bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        self.bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.bytes.append(byte)
        case 0x08: self.bytes.append(UInt8(ascii: "b"))
        case 0x09: self.bytes.append(UInt8(ascii: "t"))
        case 0x0a: self.bytes.append(UInt8(ascii: "n"))
        case 0x0c: self.bytes.append(UInt8(ascii: "f"))
        case 0x0d: self.bytes.append(UInt8(ascii: "r"))
        default:
            let digit = byte & 15
            self.bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            self.bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

/// The index of the first byte from `start` on that needs an escape, or the end.
private func plainEnd(of input: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while input.count - index >= 8 {
        let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let stops = specialBytes(word)
        guard stops == 0 else { return index + stops.trailingZeroBitCount / 8 }
        index += 8
    }
    while index < input.count, input[index] >= 0x20, input[index] != UInt8(ascii: "\""),
        input[index] != UInt8(ascii: "\\")
    {
        index += 1
    }
    return index
}
