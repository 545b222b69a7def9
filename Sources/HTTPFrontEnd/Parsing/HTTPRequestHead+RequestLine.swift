/// `method SP request-target SP HTTP-version CRLF` (RFC 9112 3).
extension HTTPRequestHead {
    /// Moves `offset` from the line's first byte to the next line's.
    mutating func parseRequestLine(_ bytes: RawSpan, _ offset: inout Int) -> HTTPRejection? {
        // Each loop ends at the line's CR at the latest: a CR is in none of their classes.
        let start = offset
        while ByteClass.token.contains(bytes.byte(offset)) { offset &+= 1 }
        guard offset > start, bytes.byte(offset) == 0x20 else { return .malformed }
        self.methodName = start..<offset
        self.method = HTTPMethod(bytes, self.methodName)
        offset &+= 1

        let targetStart = offset
        let last = bytes.byteCount &- 8
        while true {
            if offset <= last {
                let count = ByteWord.bytesBeforeControl(bytes.word(offset), below: 0x21)
                offset &+= count
                if count == 8 { continue }
            }
            let byte = bytes.byte(offset)
            if byte == 0x20 { break }
            if byte < 0x20 || byte == 0x7f { return .malformed }
            offset &+= 1
        }
        guard let target = Self.originForm(bytes, targetStart..<offset, self.method) else { return .malformed }
        self.target = target
        offset &+= 1
        return self.parseVersion(bytes, &offset)
    }

    private mutating func parseVersion(_ bytes: RawSpan, _ offset: inout Int) -> HTTPRejection? {
        // "HTTP/1.1" CRLF: ten bytes, and at least the empty line's two behind them.
        guard offset &+ 10 <= bytes.byteCount, bytes.word(offset) & 0x00ff_00ff_ffff_ffff == 0x002e_002f_5054_5448,
            bytes.byte(offset &+ 8) == 0x0d, bytes.byte(offset &+ 9) == 0x0a
        else { return .malformed }
        let major = bytes.byte(offset &+ 5) &- 0x30
        let minor = bytes.byte(offset &+ 7) &- 0x30
        guard major < 10, minor < 10 else { return .malformed }
        guard major == 1 else { return .version }
        self.minorVersion = minor == 0 ? 0 : 1
        offset &+= 10
        return nil
    }

    /// The part of a target from its path on: origin-form as it is, `*` for OPTIONS, absolute-form without scheme and
    /// authority (RFC 9112 3.2). nil for what no origin server answers.
    private static func originForm(_ bytes: RawSpan, _ target: Range<Int>, _ method: HTTPMethod) -> Range<Int>? {
        guard let first = target.first else { return nil }
        if bytes.byte(first) == 0x2f { return target }
        if bytes.byte(first) == 0x2a { return target.count == 1 && method == .options ? target : nil }
        let scheme: Int
        if target.count > 7, bytes.equalsIgnoringCase("http://", at: first) {
            scheme = 7
        } else if target.count > 8, bytes.equalsIgnoringCase("https://", at: first) {
            scheme = 8
        } else {
            return nil
        }
        var offset = first + scheme
        while offset < target.upperBound, ByteClass.host.contains(bytes.byte(offset)) { offset += 1 }
        guard offset > first + scheme else { return nil }
        // No path at all means "/": the scheme's own slash stands for it. A query without a path has no such place.
        if offset == target.upperBound { return first + scheme - 1..<first + scheme }
        return bytes.byte(offset) == 0x2f ? offset..<target.upperBound : nil
    }
}

extension HTTPMethod {
    /// Methods are case-sensitive (RFC 9110 9.1).
    init(_ bytes: RawSpan, _ name: Range<Int>) {
        var word: UInt64 = 0
        guard name.count <= 7 else {
            self = .other
            return
        }
        for index in name { word = word << 8 | UInt64(bytes.byte(index)) }
        self =
            switch word {
            case 0x47_4554: .get
            case 0x4845_4144: .head
            case 0x504f_5354: .post
            case 0x50_5554: .put
            case 0x50_4154_4348: .patch
            case 0x4445_4c45_5445: .delete
            case 0x4f_5054_494f_4e53: .options
            default: .other
            }
    }
}
