/// Looks at the bytes of an XML text before a parser does: what could make one fetch, expand or decode is refused here.
///
/// Every attack through entities (expansion, external files and addresses, parameter entities) needs a document type, and
/// one can only begin with `<!`. So what is left to the parser is UTF-8 with XML's five entities and character references.
enum XMLAdmission {
    static func check(_ bytes: [UInt8]) throws(XMLFault) {
        // XML has no NUL. UTF-16 and UTF-32 are nearly always full of them; the rest of such texts is no UTF-8.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        let text = bytes.starts(with: Self.byteOrderMark) ? bytes[3...] : bytes[...]
        try Self.checkEncoding(of: text)
        try Self.checkMarkup(text)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// XML 1.0 section 4.3.3: the declaration may name the encoding; `<?xml version="1.0" encoding="UTF-8"?>`.
    private static func checkEncoding(of text: ArraySlice<UInt8>) throws(XMLFault) {
        guard text.starts(with: "<?xml".utf8) else { return }
        guard let end = text.firstRange(of: Array("?>".utf8)) else { throw .notWellFormed }
        let declaration = text[..<end.lowerBound]
        guard let name = declaration.firstRange(of: Array("encoding".utf8)) else { return }
        var rest = declaration[name.upperBound...].drop(while: Self.isSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { throw .notWellFormed }
        rest = rest.drop(while: Self.isSpace)
        guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .notWellFormed
        }
        let encoding = String(decoding: rest.prefix { $0 != quote }, as: UTF8.self)
        guard encoding.lowercased() == "utf-8" else { throw .otherEncoding }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Of what begins with `<!`, comments and CDATA sections pass.
    private static func checkMarkup(_ text: ArraySlice<UInt8>) throws(XMLFault) {
        for index in text.indices.dropLast() where text[index] == UInt8(ascii: "<") {
            guard text[index + 1] == UInt8(ascii: "!") else { continue }
            let markup = text[(index + 2)...]
            guard markup.starts(with: "--".utf8) || markup.starts(with: "[CDATA[".utf8) else { throw .documentType }
        }
    }
}
