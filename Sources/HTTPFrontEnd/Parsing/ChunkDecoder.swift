/// Reads the chunked coding (RFC 9112 7.1), strictly: CRLF only, digits without sign or padding, bounded extensions and
/// trailers. A value; the bytes come in any split.
struct ChunkDecoder {
    enum Step: Equatable {
        /// These bytes of the input are body; `consumed` of the input are done with.
        case data(Range<Int>, consumed: Int)
        /// The input is used up.
        case needsMore
        /// The body ended; `consumed` bytes of the input were its.
        case end(consumed: Int)
        case rejected(HTTPRejection)
    }

    private enum State {
        case sizeFirst, size, extensionText, sizeLineFeed, data, dataReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed, endLineFeed, ended
    }

    /// Bytes of all chunk extensions of one body: nobody uses them, so a body that is mostly extensions is an attack.
    private static var extensionBytesMax: UInt32 { 16 << 10 }
    /// Hex digits of a size: 15 of them fit an Int.
    private static var sizeDigitsMax: UInt8 { 15 }

    private var state = State.sizeFirst
    private var sizeDigits: UInt8 = 0
    private var remaining = 0
    private var extensionBytes: UInt32 = 0
    private var trailerBytes: UInt32 = 0

    /// The last chunk was read, and perhaps trailers are still coming.
    var hasEnded: Bool { self.state == .ended }

    /// Takes the next step in `bytes` from `offset` on.
    mutating func step(_ bytes: RawSpan, from offset: Int, trailerBytesMax: Int) -> Step {
        var offset = offset
        while offset < bytes.byteCount {
            if self.state == .data {
                let count = min(self.remaining, bytes.byteCount - offset)
                self.remaining -= count
                if self.remaining == 0 { self.state = .dataReturn }
                return .data(offset..<offset + count, consumed: offset + count)
            }
            if let reason = self.take(bytes.byte(offset), trailerBytesMax: trailerBytesMax) { return .rejected(reason) }
            offset += 1
            if self.state == .ended { return .end(consumed: offset) }
        }
        return .needsMore
    }

    /// One byte that is not chunk data.
    private mutating func take(_ byte: UInt8, trailerBytesMax: Int) -> HTTPRejection? {
        switch self.state {
        case .sizeFirst, .size:
            return self.takeSize(byte)
        case .extensionText:
            self.extensionBytes += 1
            if byte == 0x0d {
                self.state = .sizeLineFeed
            } else if byte < 0x20 && byte != 0x09 || byte == 0x7f || self.extensionBytes > Self.extensionBytesMax {
                return .chunk
            }
        case .sizeLineFeed:
            guard byte == 0x0a else { return .chunk }
            self.state = self.remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            guard byte == 0x0d else { return .chunk }
            self.state = .dataLineFeed
        case .dataLineFeed:
            guard byte == 0x0a else { return .chunk }
            self.state = .sizeFirst
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed:
            return self.takeTrailer(byte, bytesMax: trailerBytesMax)
        case .endLineFeed:
            guard byte == 0x0a else { return .chunk }
            self.state = .ended
        case .data, .ended:
            preconditionFailure("chunk data and the end are handled by step")
        }
        return nil
    }

    private mutating func takeSize(_ byte: UInt8) -> HTTPRejection? {
        let digit: UInt8
        switch byte {
        case 0x30...0x39: digit = byte - 0x30
        case 0x41...0x46: digit = byte - 0x37
        case 0x61...0x66: digit = byte - 0x57
        case 0x0d where self.state == .size:
            self.state = .sizeLineFeed
            return nil
        case 0x3b where self.state == .size:
            self.state = .extensionText
            return nil
        default: return .chunk
        }
        if self.state == .sizeFirst {
            self.state = .size
            self.sizeDigits = 0
            self.remaining = 0
        }
        self.sizeDigits += 1
        guard self.sizeDigits <= Self.sizeDigitsMax else { return .chunk }
        self.remaining = self.remaining << 4 | Int(digit)
        return nil
    }

    /// Trailers are checked as fields are, and dropped.
    private mutating func takeTrailer(_ byte: UInt8, bytesMax: Int) -> HTTPRejection? {
        if self.state == .trailerStart, byte == 0x0d {
            self.state = .endLineFeed
            return nil
        }
        self.trailerBytes += 1
        guard self.trailerBytes <= bytesMax else { return .trailerBytes }
        switch self.state {
        case .trailerStart:
            guard ByteClass.token.contains(byte) else { return .chunk }
            self.state = .trailerName
        case .trailerName:
            if byte == 0x3a {
                self.state = .trailerValue
            } else if !ByteClass.token.contains(byte) {
                return .chunk
            }
        case .trailerValue:
            if byte == 0x0d {
                self.state = .trailerLineFeed
            } else if byte < 0x20 && byte != 0x09 || byte == 0x7f {
                return .chunk
            }
        default:
            guard byte == 0x0a else { return .chunk }
            self.state = .trailerStart
        }
        return nil
    }
}
