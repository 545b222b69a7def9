/// Finds the ends of HTTP/1.1 answers in a connection's bytes (RFC 9112): a value without I/O.
///
/// It keeps the status and whether the connection stays open, and drops the rest. Bytes are looked at where they lie; only
/// a line that two reads share is copied.
struct AnswerScanner {
    enum Progress: Equatable {
        /// All bytes are taken, and an answer is not whole.
        case partial
        case answer(status: Int, keepsAlive: Bool)
        /// No HTTP/1 answer, or one beyond the limits: the connection can't be read on.
        case malformed
    }

    private enum Phase: Equatable {
        case statusLine, fields, body(UInt64), chunkSize, chunk(UInt64), trailer, untilEnd
    }

    /// Of a status line, a field line or a chunk's size line.
    static let lineBytesMax = 16_384
    /// Of a whole head or trailer.
    static let headBytesMax = 65_536
    static let bodyBytesMax: UInt64 = 1 << 40

    private var phase = Phase.statusLine
    /// The part of a line that came with earlier reads.
    private var carried: [UInt8] = []
    private var headBytes = 0
    private var status = 0
    private var keepsAlive = true
    private var length: UInt64?
    private var isChunked = false

    /// Whether an answer has begun that is not whole.
    var isInside: Bool { self.phase != .statusLine || !self.carried.isEmpty }

    /// Scans from `offset` on and moves it behind what was taken: to the end of the next answer, or of the bytes.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Progress {
        while true {
            switch self.phase {
            case .body(let left), .chunk(let left):
                let taken = min(left, UInt64(bytes.count - offset))
                offset += Int(taken)
                guard taken == left else {
                    self.phase = self.isChunked ? .chunk(left - taken) : .body(left - taken)
                    return .partial
                }
                if !self.isChunked { return self.finish() }
                self.phase = .chunkSize
            case .untilEnd:
                offset = bytes.count
                return .partial
            case .statusLine, .fields, .chunkSize, .trailer:
                let start = offset
                guard let line = Self.line(bytes, &offset) else {
                    self.carried.append(contentsOf: bytes[start...])
                    return self.carried.count > Self.lineBytesMax ? .malformed : .partial
                }
                if let progress = self.take(line) { return progress }
            }
        }
    }

    /// The peer sends no more: the answer that only this ends; `.partial` between answers, `.malformed` inside one.
    mutating func end() -> Progress {
        if self.phase == .untilEnd { return self.finish() }
        return self.isInside ? .malformed : .partial
    }

    // MARK: Lines

    /// The bytes to the next line feed, which `offset` moves behind; nil, and `offset` at the end, when there is none.
    private static func line(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UnsafeRawBufferPointer? {
        let start = offset
        while offset < bytes.count {
            offset += 1
            if bytes[offset - 1] == UInt8(ascii: "\n") {
                return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
            }
        }
        return nil
    }

    /// Takes the line's end, with what was carried before it. Nil: go on.
    private mutating func take(_ end: UnsafeRawBufferPointer) -> Progress? {
        guard !self.carried.isEmpty else { return self.read(end) }
        var line = self.carried
        self.carried.removeAll(keepingCapacity: true)
        line.append(contentsOf: end)
        return line.withUnsafeBytes { self.read($0) }
    }

    private mutating func read(_ line: UnsafeRawBufferPointer) -> Progress? {
        guard line.count <= Self.lineBytesMax else { return .malformed }
        var line = line[..<(line.count - 1)]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        switch self.phase {
        case .statusLine: return self.readStatusLine(line)
        case .fields: return line.isEmpty ? self.headEnded() : self.readField(line)
        case .chunkSize: return self.readChunkSize(line)
        case .trailer:
            if line.isEmpty { return self.finish() }
            return self.countHead(line)
        case .body, .chunk, .untilEnd: preconditionFailure("no line is read inside a body")
        }
    }

    /// Keeps a head or a trailer within its limit.
    private mutating func countHead(_ line: Slice<UnsafeRawBufferPointer>) -> Progress? {
        self.headBytes += line.count
        return self.headBytes > Self.headBytesMax ? .malformed : nil
    }

    /// `HTTP/1.1 204 No Content`; the reason may be missing with its space.
    private mutating func readStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Progress? {
        let start = line.startIndex
        guard line.count >= 12, line.starts(with: Self.version), line[start + 8] == UInt8(ascii: " "),
            line.count == 12 || line[start + 12] == UInt8(ascii: " "),
            let status = Self.number(line[(start + 9)..<(start + 12)], max: 599), status >= 100
        else { return .malformed }
        self.headBytes = 0
        self.status = Int(status)
        // RFC 9112 9.3: 1.0 closes unless it says otherwise.
        self.keepsAlive = line[start + 7] != UInt8(ascii: "0")
        self.length = nil
        self.isChunked = false
        self.phase = .fields
        return nil
    }

    private mutating func readField(_ line: Slice<UnsafeRawBufferPointer>) -> Progress? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .malformed }
        let name = line[..<colon]
        // Of an answer's fields three say how it ends, and few share their lengths.
        switch name.count {
        case Self.contentLength.count where Self.isSame(name, Self.contentLength):
            guard let length = Self.number(Self.trimmed(line[(colon + 1)...]), max: Self.bodyBytesMax),
                self.length == nil || self.length == length
            else { return .malformed }
            self.length = length
        case Self.transferEncoding.count where Self.isSame(name, Self.transferEncoding):
            guard Self.isSame(Self.trimmed(line[(colon + 1)...]), Self.chunked) else { return .malformed }
            self.isChunked = true
        case Self.connection.count where Self.isSame(name, Self.connection):
            let value = Self.trimmed(line[(colon + 1)...])
            if Self.isSame(value, Self.close) { self.keepsAlive = false }
            if Self.isSame(value, Self.keepAlive) { self.keepsAlive = true }
        default: break
        }
        return self.countHead(line)
    }

    /// RFC 9112 section 6.3.
    private mutating func headEnded() -> Progress? {
        if self.status < 200 {
            // RFC 9110 15.2: an interim answer comes before the real one.
            self.phase = .statusLine
            return nil
        }
        self.headBytes = 0
        if self.status == 204 || self.status == 304 { return self.finish() }
        if self.isChunked {
            self.phase = .chunkSize
            return nil
        }
        guard let length = self.length else {
            self.keepsAlive = false
            self.phase = .untilEnd
            return nil
        }
        self.phase = .body(length)
        return nil
    }

    /// Hexadecimal digits and extensions. The line feed after a chunk's bytes is counted with them.
    private mutating func readChunkSize(_ line: Slice<UnsafeRawBufferPointer>) -> Progress? {
        var size: UInt64 = 0
        var digits = 0
        for byte in line {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                guard byte == UInt8(ascii: ";") || byte == UInt8(ascii: " ") else { return .malformed }
                break
            }
            size = size << 4 + UInt64(digit)
            digits += 1
            guard size <= Self.bodyBytesMax else { return .malformed }
        }
        guard digits > 0 else { return .malformed }
        self.phase = size == 0 ? .trailer : .chunk(size + 2)
        return nil
    }

    private mutating func finish() -> Progress {
        self.phase = .statusLine
        return .answer(status: self.status, keepsAlive: self.keepsAlive)
    }

    // MARK: Bytes

    private static let version = Array("HTTP/1.".utf8)
    private static let contentLength = Array("content-length".utf8)
    private static let transferEncoding = Array("transfer-encoding".utf8)
    private static let connection = Array("connection".utf8)
    private static let chunked = Array("chunked".utf8)
    private static let close = Array("close".utf8)
    private static let keepAlive = Array("keep-alive".utf8)

    /// Equal but for the letters' case; `lowercase` holds letters and hyphens, which have the bit already.
    private static func isSame(_ bytes: Slice<UnsafeRawBufferPointer>, _ lowercase: [UInt8]) -> Bool {
        bytes.count == lowercase.count && zip(bytes, lowercase).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            bytes = bytes.dropFirst()
        }
        while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            bytes = bytes.dropLast()
        }
        return bytes
    }

    /// Decimal digits and nothing else.
    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>, max: UInt64) -> UInt64? {
        guard !bytes.isEmpty else { return nil }
        var number: UInt64 = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
            guard number <= max else { return nil }
        }
        return number
    }
}
