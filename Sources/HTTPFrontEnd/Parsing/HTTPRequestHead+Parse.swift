/// The grammar of a head (RFC 9112 2–6), strict where leniency lets two readers see two messages.
///
/// The bytes are those between `HeadScanner`'s marks: each LF has its CR, the last line is empty.
extension HTTPRequestHead {
    /// Fills the head in; the table of fields keeps its memory. Returns why the request is refused, or nil.
    mutating func parse(_ bytes: RawSpan) -> HTTPRejection? {
        self.fields.removeAll()
        self.framing = .none
        self.expectsContinue = false
        var offset = 0
        if let reason = self.parseRequestLine(bytes, &offset) { return reason }
        self.keepAlive = self.minorVersion == 1

        var framing = FramingFields()
        while bytes.byte(offset) != 0x0d {
            guard let field = Self.parseField(bytes, &offset) else { return .malformed }
            self.fields.append(field)
            if let reason = framing.note(field, bytes) { return reason }
        }
        // A CR that begins a line must be the empty line's, not a stray one.
        guard offset &+ 2 == bytes.byteCount else { return .malformed }
        return framing.settle(&self)
    }

    /// `name ":" OWS value OWS CRLF`; nil where it is anything else: obs-fold, an empty or foreign name, white space
    /// before the colon, a bare CR.
    ///
    /// Other control characters in a value, NUL among them, are kept (RFC 9110 5.5 allows it in a safe context): a phone
    /// whose user agent holds one still gets its event counted. The fields that frame a message have grammars of their own,
    /// and `HTTPRequest` shows spaces in their place.
    @inline(__always)
    private static func parseField(_ bytes: RawSpan, _ offset: inout Int) -> HTTPField? {
        let nameStart = offset
        while ByteClass.token.contains(bytes.byte(offset)) { offset &+= 1 }
        let nameEnd = offset
        guard nameEnd > nameStart, bytes.byte(offset) == 0x3a else { return nil }
        offset &+= 1
        while bytes.byte(offset) == 0x20 || bytes.byte(offset) == 0x09 { offset &+= 1 }
        let valueStart = offset
        let last = bytes.byteCount &- 8
        while true {
            if offset <= last {
                let count = ByteWord.bytesBeforeControl(bytes.word(offset))
                offset &+= count
                if count == 8 { continue }
            }
            // The last field is followed by at least CRLF CRLF, so its CR is met inside.
            if bytes.byte(offset) == 0x0d { break }
            offset &+= 1
        }
        guard bytes.byte(offset &+ 1) == 0x0a else { return nil }
        var valueEnd = offset
        while valueEnd > valueStart, bytes.byte(valueEnd &- 1) == 0x20 || bytes.byte(valueEnd &- 1) == 0x09 {
            valueEnd &-= 1
        }
        offset &+= 2
        return HTTPField(
            nameStart: UInt32(truncatingIfNeeded: nameStart), nameEnd: UInt32(truncatingIfNeeded: nameEnd),
            valueStart: UInt32(truncatingIfNeeded: valueStart), valueEnd: UInt32(truncatingIfNeeded: valueEnd))
    }
}
