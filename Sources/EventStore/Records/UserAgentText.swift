import MessageIDs

/// Client text as the database can hold it: valid UTF-8 without NUL, at most 512 bytes.
enum UserAgentText {
    /// Bytes kept; whole scalars only.
    static let bytesMax = 512

    /// Appends `text` with each NUL and each maximal ill-formed part replaced by U+FFFD (Unicode 15, section 3.9, "U+FFFD
    /// Substitution of Maximal Subparts"; a surrogate's three bytes are three such parts), cut at a scalar boundary.
    static func appendCleaned(_ text: RawSpan, to bytes: inout ByteWriter) {
        let kept = text.extracting(first: self.bytesMax)
        // Nearly every text is.
        if self.isPlain(kept) {
            kept.withUnsafeBytes { if let base = $0.baseAddress { bytes.append(base, count: $0.count) } }
            return
        }
        let end = bytes.count + self.bytesMax
        var offset = 0
        while offset < text.byteCount {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if byte != 0 && byte < 0x80 {
                guard bytes.count < end else { return }
                bytes.append(byte)
                offset &+= 1
                continue
            }
            let part = self.part(of: text, at: offset)
            if part.isScalar {
                guard bytes.count + part.length <= end else { return }
                for index in offset..<offset + part.length {
                    bytes.append(text.unsafeLoad(fromByteOffset: index, as: UInt8.self))
                }
            } else {
                guard bytes.count + 3 <= end else { return }
                bytes.append(0xEF)
                bytes.append(0xBF)
                bytes.append(0xBD)
            }
            offset += part.length
        }
    }

    /// Whether all bytes are 1 … 127.
    private static func isPlain(_ text: RawSpan) -> Bool {
        text.withUnsafeBytes { bytes in
            var seen: UInt64 = 0
            var offset = 0
            while offset &+ 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Exact: only a zero borrows from its neighbour, and is found itself.
                seen |= word | (word &- 0x0101_0101_0101_0101)
                offset &+= 8
            }
            while offset < bytes.count {
                seen |= UInt64(bytes[offset] | (bytes[offset] &- 1))
                offset &+= 1
            }
            return seen & 0x8080_8080_8080_8080 == 0
        }
    }

    /// Whether `appendCleaned` would leave it as it is.
    static func isClean(_ text: RawSpan) -> Bool {
        guard text.byteCount <= self.bytesMax else { return false }
        if self.isPlain(text) { return true }
        var offset = 0
        while offset < text.byteCount {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if byte != 0 && byte < 0x80 {
                offset += 1
                continue
            }
            let part = self.part(of: text, at: offset)
            guard part.isScalar else { return false }
            offset += part.length
        }
        return true
    }

    /// The well-formed scalar or the maximal ill-formed part that begins at `offset`, by table 3-7 of the Unicode standard.
    private static func part(of text: RawSpan, at offset: Int) -> (length: Int, isScalar: Bool) {
        let lead = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        let continuations: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x01...0x7F: return (1, true)
        case 0xC2...0xDF: continuations = 1
        case 0xE0: (continuations, second) = (2, 0xA0...0xBF)
        case 0xED: (continuations, second) = (2, 0x80...0x9F)
        case 0xE1...0xEF: continuations = 2
        case 0xF0: (continuations, second) = (3, 0x90...0xBF)
        case 0xF1...0xF3: continuations = 3
        case 0xF4: (continuations, second) = (3, 0x80...0x8F)
        default: return (1, false)
        }
        for index in 1...continuations {
            guard offset + index < text.byteCount else { return (index, false) }
            let byte = text.unsafeLoad(fromByteOffset: offset + index, as: UInt8.self)
            guard (index == 1 ? second : 0x80...0xBF).contains(byte) else { return (index, false) }
        }
        return (1 + continuations, true)
    }
}
