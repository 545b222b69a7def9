import StrictJSON

/// A list's position as clients see it: opaque base64url. It carries a mark of the query that it belongs to, so that one
/// query's cursor is refused by another instead of giving a wrong page.
struct PageCursor: Sendable {
    static let refusal = FieldReason(code: .invalid, detail: "Must be the next_cursor of the same query.")
    private static let markBytes = 4
    private let mark: [UInt8]

    /// - Parameter query: What a page's order and content depend on.
    init(query: [String]) {
        self.mark = Array(SHA256Digest(Array(query.joined(separator: "\n").utf8)).bytes.prefix(Self.markBytes))
    }

    func text(_ position: [UInt8]) -> String {
        Base64URL.encode(self.mark + position)
    }

    func position(_ text: String) throws(FieldReason) -> [UInt8] {
        guard let bytes = Base64URL.decode(text), bytes.starts(with: self.mark) else {
            throw Self.refusal
        }
        return Array(bytes.dropFirst(Self.markBytes))
    }
}

/// RFC 4648 section 5, without padding.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for digit in 0...group.count { text.append(self.alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for another alphabet, padding, or bits beyond the last byte that are not 0.
    static func decode(_ text: String) -> [UInt8]? { Self.decode(text.utf8) }

    static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in text {
            guard let digit = self.digit(character) else { return nil }
            bits = bits << 6 | UInt32(digit)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        return bitCount < 6 && bits == 0 ? bytes : nil
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
