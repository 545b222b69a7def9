/// Gathers the fields that decide where a message ends and whether the connection lives on (RFC 9112 6 and 9).
///
/// Whatever two recipients could read in two ways is refused: repeated or listed lengths, length beside coding, a coding
/// in HTTP/1.0.
struct FramingFields {
    private var hostCount = 0
    private var contentLength: Int?
    private var isChunked = false
    private var closes = false
    private var keepsAlive = false
    private var expects = false
    private var refusal: HTTPRejection?

    /// Looks at one field; a reason ends the parse at once.
    @inline(__always)
    mutating func note(_ field: HTTPField, _ bytes: RawSpan) -> HTTPRejection? {
        // By length first: of a usual request's fields only these few are compared at all.
        switch field.nameEnd &- field.nameStart {
        case 4: bytes.equalsIgnoringCase("host", at: Int(field.nameStart)) ? self.noteHost(field.value, bytes) : nil
        case 6: bytes.equalsIgnoringCase("expect", at: Int(field.nameStart)) ? self.noteExpect(field.value, bytes) : nil
        case 10:
            bytes.equalsIgnoringCase("connection", at: Int(field.nameStart))
                ? self.noteConnection(field.value, bytes) : nil
        case 14:
            bytes.equalsIgnoringCase("content-length", at: Int(field.nameStart))
                ? self.noteLength(field.value, bytes) : nil
        case 17:
            bytes.equalsIgnoringCase("transfer-encoding", at: Int(field.nameStart))
                ? self.noteCoding(field.value, bytes) : nil
        default: nil
        }
    }

    /// What holds between the fields, once all are seen.
    func settle(_ head: inout HTTPRequestHead) -> HTTPRejection? {
        if self.hostCount > 1 || self.hostCount == 0 && head.minorVersion == 1 { return .host }
        if self.isChunked {
            if self.contentLength != nil || head.minorVersion == 0 { return .framing }
            head.framing = .chunked
        } else if let length = self.contentLength, length > 0 {
            head.framing = .length(length)
        }
        if let refusal { return refusal }
        if self.closes {
            head.keepAlive = false
        } else if self.keepsAlive {
            head.keepAlive = true
        }
        // A 1.0 client can't wait for a 100 (RFC 9110 10.1.1); without a body nobody waits.
        head.expectsContinue = self.expects && head.minorVersion == 1 && head.framing != .none
        return nil
    }

    private mutating func noteHost(_ value: Range<Int>, _ bytes: RawSpan) -> HTTPRejection? {
        self.hostCount += 1
        guard !value.isEmpty else { return .host }
        var offset = value.lowerBound
        while offset < value.upperBound, ByteClass.host.contains(bytes.byte(offset)) { offset &+= 1 }
        return offset < value.upperBound ? .host : nil
    }

    private mutating func noteLength(_ value: Range<Int>, _ bytes: RawSpan) -> HTTPRejection? {
        // 18 digits fit an Int, and no body is longer.
        guard self.contentLength == nil, !value.isEmpty, value.count <= 18 else { return .framing }
        var length = 0
        for offset in value {
            let digit = bytes.byte(offset) &- 0x30
            guard digit < 10 else { return .framing }
            length = length &* 10 &+ Int(digit)
        }
        self.contentLength = length
        return nil
    }

    private mutating func noteCoding(_ value: Range<Int>, _ bytes: RawSpan) -> HTTPRejection? {
        guard !self.isChunked else { return .framing }
        self.isChunked = true
        // Kept until the end, so that a length beside an unknown coding is still the graver fault.
        if !bytes.equalsIgnoringCase("chunked", in: value) { self.refusal = .transferCoding }
        return nil
    }

    private mutating func noteExpect(_ value: Range<Int>, _ bytes: RawSpan) -> HTTPRejection? {
        self.expects = true
        if !bytes.equalsIgnoringCase("100-continue", in: value) { self.refusal = self.refusal ?? .expectation }
        return nil
    }

    private mutating func noteConnection(_ value: Range<Int>, _ bytes: RawSpan) -> HTTPRejection? {
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, bytes.byte(end) != 0x2c { end += 1 }
            var first = start
            var last = end
            while first < last, bytes.byte(first) == 0x20 || bytes.byte(first) == 0x09 { first += 1 }
            while last > first, bytes.byte(last - 1) == 0x20 || bytes.byte(last - 1) == 0x09 { last -= 1 }
            if bytes.equalsIgnoringCase("close", in: first..<last) { self.closes = true }
            if bytes.equalsIgnoringCase("keep-alive", in: first..<last) { self.keepsAlive = true }
            start = end + 1
        }
        return nil
    }
}
