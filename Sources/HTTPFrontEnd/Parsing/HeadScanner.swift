import Glibc

/// Finds the end of a head in bytes that may still be coming, line by line, and holds the limits on lines and fields.
///
/// It remembers how far it came, so a head that drips in costs each byte once. What it finds does not depend on how the
/// bytes were split. What the lines say is `HTTPRequestHead.parse`'s business, once all are there.
struct HeadScanner {
    enum Result: Equatable {
        case incomplete
        /// The head is `headStart..<offset`.
        case complete
        case rejected(HTTPRejection)
    }

    /// Empty lines that are tolerated before a request line (RFC 9112 2.2).
    private static var leadingLinesMax: UInt32 { 4 }

    /// Where scanning goes on.
    private(set) var offset: UInt32 = 0
    /// The request line's first byte: behind tolerated empty lines.
    private(set) var headStart: UInt32 = 0
    private var lineStart: UInt32 = 0
    /// The first field's first byte; 0 while the request line is incomplete.
    private var fieldsStart: UInt32 = 0
    private var fieldCount: UInt32 = 0

    /// Bytes are here that begin a request, empty lines before it apart: the header time-out runs.
    var hasBegun: Bool { self.offset > self.headStart }

    /// Scans `bytes`: the same as last time, with more at their end.
    mutating func scan(_ bytes: RawSpan, limits: borrowing HTTPLimits) -> Result {
        if self.offset == self.headStart, self.fieldsStart == 0 {
            let result = self.skipEmptyLines(bytes)
            guard result == .complete else { return result }
        }
        while true {
            let found = bytes.firstLineFeed(from: Int(self.offset))
            let end = found ?? bytes.byteCount
            if let reason = self.overLimit(end: end, isLine: found != nil, limits) { return .rejected(reason) }
            guard found != nil else {
                self.offset = UInt32(end)
                return .incomplete
            }
            guard end > Int(self.lineStart), bytes.byte(end &- 1) == 0x0d else { return .rejected(.malformed) }
            let isEmpty = end &- 1 == Int(self.lineStart)
            self.offset = UInt32(end &+ 1)
            self.lineStart = self.offset
            if self.fieldsStart == 0 {
                self.fieldsStart = self.offset
            } else if isEmpty {
                return .complete
            } else {
                self.fieldCount += 1
                if self.fieldCount > UInt32(limits.headerCountMax) { return .rejected(.headerCount) }
            }
        }
    }

    /// `end`: the line feed of the present line, or the bytes' end where there is none yet.
    private func overLimit(end: Int, isLine: Bool, _ limits: borrowing HTTPLimits) -> HTTPRejection? {
        if self.fieldsStart == 0 {
            // One byte more than the limit may be the CR.
            return end &- Int(self.lineStart) > limits.requestLineBytesMax &+ 1 ? .requestLine : nil
        }
        let count = end &- Int(self.fieldsStart) &+ (isLine ? 1 : 0)
        return count > limits.headerBytesMax ? .headerBytes : nil
    }

    /// `.complete` once the request line's first byte is there and can begin a method.
    private mutating func skipEmptyLines(_ bytes: RawSpan) -> Result {
        while Int(self.headStart) < bytes.byteCount {
            let first = bytes.byte(Int(self.headStart))
            if first == 0x0d {
                guard Int(self.headStart) + 1 < bytes.byteCount else { return .incomplete }
                guard bytes.byte(Int(self.headStart) + 1) == 0x0a, self.headStart < 2 * Self.leadingLinesMax else {
                    return .rejected(.malformed)
                }
                self.headStart += 2
                self.offset = self.headStart
                self.lineStart = self.headStart
            } else {
                return ByteClass.token.contains(first) ? .complete : .rejected(.malformed)
            }
        }
        return .incomplete
    }
}

extension RawSpan {
    /// The first LF at or after `offset`.
    @inline(__always)
    fileprivate func firstLineFeed(from offset: Int) -> Int? {
        self.withUnsafeBytes { buffer in
            guard offset < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + offset, 0x0a, buffer.count &- offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
