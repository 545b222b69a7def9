/// Reads one JSON text by recursive descent; `depthMax` bounds the stack whatever the input.
///
/// The one place with unsafe reads: every access goes through `byte`, `word` or a range that a scan has just walked, each
/// after its check against `count`. The buffer belongs to the caller and outlives the reader, which is never stored.
struct JSONReader {
    private let input: UnsafeRawBufferPointer
    private let count: Int
    private let depthMax: Int
    private let replacesLoneSurrogates: Bool
    private var position = 0
    private var depth = 0

    init(_ input: UnsafeRawBufferPointer, depthMax: Int, replacesLoneSurrogates: Bool) {
        self.input = input
        self.count = input.count
        self.depthMax = depthMax
        self.replacesLoneSurrogates = replacesLoneSurrogates
    }

    mutating func document() throws(JSONError) -> JSONValue {
        self.skipWhiteSpace()
        let value = try self.value()
        self.skipWhiteSpace()
        guard self.position == self.count else {
            throw JSONError("trailing_bytes", at: self.position, "bytes after the value")
        }
        return value
    }

    // MARK: Bytes

    /// The byte at the position, or nil at the end.
    private var byte: UInt8? { self.position < self.count ? self.input[self.position] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = self.byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { self.position += 1 }
    }

    private func unexpected(_ wanted: String) -> JSONError {
        self.position < self.count
            ? JSONError("unexpected_byte", at: self.position, "\(wanted) expected")
            : JSONError("unexpected_end", at: self.count, "the text ends where \(wanted) is expected")
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        switch self.byte {
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "{"): return try self.object()
        case UInt8(ascii: "["): return try self.array()
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try self.number())
        case UInt8(ascii: "t"): return try self.literal("true", .bool(true))
        case UInt8(ascii: "f"): return try self.literal("false", .bool(false))
        case UInt8(ascii: "n"): return try self.literal("null", .null)
        default: throw self.unexpected("a value")
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard self.byte == text.utf8Start[index] else { throw self.unexpected("\(text)") }
            self.position += 1
        }
        return value
    }

    private mutating func enter() throws(JSONError) {
        guard self.depth < self.depthMax else {
            throw JSONError("too_deep", at: self.position, "more than \(self.depthMax) levels")
        }
        self.depth += 1
        self.position += 1
        self.skipWhiteSpace()
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try self.enter()
        var items: [JSONValue] = []
        if self.byte == UInt8(ascii: "]") {
            self.position += 1
        } else {
            repeat {
                self.skipWhiteSpace()
                items.append(try self.value())
            } while try self.hasNext(before: UInt8(ascii: "]"), "a comma or a closing bracket")
        }
        self.depth -= 1
        return .array(items)
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try self.enter()
        var members: [JSONMember] = []
        var names = JSONNames()
        if self.byte == UInt8(ascii: "}") {
            self.position += 1
        } else {
            repeat {
                self.skipWhiteSpace()
                let start = self.position
                guard self.byte == UInt8(ascii: "\"") else { throw self.unexpected("a name") }
                let name = try self.string()
                guard names.insert(name, among: members) else {
                    throw JSONError("duplicate_key", at: start, "a name that the object already has")
                }
                self.skipWhiteSpace()
                guard self.byte == UInt8(ascii: ":") else { throw self.unexpected("a colon") }
                self.position += 1
                self.skipWhiteSpace()
                members.append(JSONMember(name: name, value: try self.value()))
            } while try self.hasNext(before: UInt8(ascii: "}"), "a comma or a closing brace")
        }
        self.depth -= 1
        return .object(members)
    }

    private mutating func hasNext(before close: UInt8, _ wanted: String) throws(JSONError) -> Bool {
        self.skipWhiteSpace()
        guard let byte = self.byte, byte == UInt8(ascii: ",") || byte == close else { throw self.unexpected(wanted) }
        self.position += 1
        return byte != close
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> String {
        let start = self.position
        if self.byte == UInt8(ascii: "-") { self.position += 1 }
        if self.byte == UInt8(ascii: "0") {
            self.position += 1
            guard !self.isDigit else { throw JSONError("bad_number", at: start, "a number with a leading zero") }
        } else {
            try self.digits(of: start)
        }
        if self.byte == UInt8(ascii: ".") {
            self.position += 1
            try self.digits(of: start)
        }
        if self.byte == UInt8(ascii: "e") || self.byte == UInt8(ascii: "E") {
            self.position += 1
            if self.byte == UInt8(ascii: "+") || self.byte == UInt8(ascii: "-") { self.position += 1 }
            try self.digits(of: start)
        }
        return String(decoding: self.input[start..<self.position], as: UTF8.self)
    }

    private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self.byte ?? 0) }

    private mutating func digits(of start: Int) throws(JSONError) {
        guard self.isDigit else { throw JSONError("bad_number", at: start, "a number without its digits") }
        while self.isDigit { self.position += 1 }
    }

    // MARK: Strings

    /// Reads a string at its opening quote. A string without escapes is made straight from the input.
    private mutating func string() throws(JSONError) -> String {
        self.position += 1
        var start = self.position
        var unescaped: [UInt8]?
        while true {
            self.skipPlainBytes()
            guard let byte = self.byte else { throw self.unexpected("a closing quote") }
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\") else {
                throw JSONError("control_character", at: self.position, "a control character that is not escaped")
            }
            // The two are checked apart: an escape makes no half of a character whole.
            try self.requireUTF8(start..<self.position)
            var bytes = unescaped.take() ?? []  // Taken out, so that the append is in place.
            bytes.append(contentsOf: self.input[start..<self.position])
            try self.escape(into: &bytes)
            unescaped = bytes
            start = self.position
        }
        let tail = start..<self.position
        self.position += 1
        guard var bytes = unescaped else {
            if let text = String(validating: self.input[tail], as: UTF8.self) { return text }
            try self.requireUTF8(tail)
            fatalError("String(validating:) and JSONReader disagree about UTF-8")
        }
        try self.requireUTF8(tail)
        bytes.append(contentsOf: self.input[tail])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Moves to the next quote, backslash or control character, or to the end; eight bytes at a time.
    private mutating func skipPlainBytes() {
        while self.count - self.position >= 8 {
            let word = UInt64(littleEndian: self.input.loadUnaligned(fromByteOffset: self.position, as: UInt64.self))
            let stops = specialBytes(word)
            guard stops == 0 else {
                self.position += stops.trailingZeroBitCount / 8
                return
            }
            self.position += 8
        }
        while let byte = self.byte, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            self.position += 1
        }
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
        let start = self.position
        self.position += 1
        guard let kind = self.byte else { throw self.unexpected("an escape") }
        self.position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(kind)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0c)
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try self.unicodeEscape(at: start)
            bytes.append(contentsOf: UTF8.encode(scalar)!)
        default: throw JSONError("bad_escape", at: start, "an escape that JSON does not have")
        }
    }

    /// The scalar of `\uXXXX`, or of a surrogate pair of them; the position is after the first `u`.
    private mutating func unicodeEscape(at start: Int) throws(JSONError) -> Unicode.Scalar {
        let high = try self.fourHexDigits(at: start)
        if let scalar = Unicode.Scalar(high) { return scalar }
        let second = self.position
        if (0xd800..<0xdc00).contains(high), self.byte == UInt8(ascii: "\\") {
            self.position += 1
            if self.byte == UInt8(ascii: "u") {
                self.position += 1
                let low = try self.fourHexDigits(at: second)
                if (0xdc00..<0xe000).contains(low) {
                    return Unicode.Scalar(0x10000 + (UInt32(high - 0xd800) << 10) + UInt32(low - 0xdc00))!
                }
            }
        }
        guard self.replacesLoneSurrogates else {
            throw JSONError("lone_surrogate", at: start, "half of a surrogate pair")
        }
        // What follows is read as if it stood alone.
        self.position = second
        return "\u{fffd}"
    }

    private mutating func fourHexDigits(at start: Int) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = self.byte else { throw self.unexpected("four hexadecimal digits") }
            guard let digit = hexDigit(byte) else {
                throw JSONError("bad_escape", at: start, "an escape without its four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            self.position += 1
        }
        return value
    }

    private func requireUTF8(_ range: Range<Int>) throws(JSONError) {
        guard let index = firstInvalidUTF8(self.input[range]) else { return }
        throw JSONError("invalid_utf8", at: index, "bytes that are not UTF-8")
    }
}
