/// Hides what must not be shown of a PostgreSQL connection string, and keeps what helps: hosts, database, user.
package enum SecretMask {
    static let mark = "********"

    /// Masks `user:PASSWORD@` of a URL, and `password=…`, `passfile=…`, `sslpassword=…` as keyword or query parameter.
    package static func mask(_ text: String) -> String {
        Self.maskKeywords(Self.maskUserInfo(text))
    }

    private static func maskUserInfo(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        // The last @ before the path ends the user part: a password may hold an unescaped @.
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            // A password with an unescaped slash: what stands between the first colon and a later @ can't be told apart.
            return Self.maskOddUserInfo(text, after: scheme.upperBound)
        }
        return text[...colon] + Self.mark + text[at...]
    }

    private static func maskOddUserInfo(_ text: String, after start: String.Index) -> String {
        guard let at = text.lastIndex(of: "@"), at >= start, let colon = text[start..<at].firstIndex(of: ":") else {
            return text
        }
        return text[...colon] + Self.mark + text[at...]
    }

    private static func maskKeywords(_ text: String) -> String {
        var result = text
        for keyword in ["password", "sslpassword", "passfile"] {
            var from = result.startIndex
            while let found = Self.keyword(keyword, in: result[from...]) {
                let offset = result.utf8.distance(from: result.startIndex, to: found.lowerBound)
                result.replaceSubrange(found, with: Self.mark)
                from = result.utf8.index(result.startIndex, offsetBy: offset + Self.mark.utf8.count)
            }
        }
        return result
    }

    /// The value of the next `keyword = value`; libpq allows spaces around `=` and single quotes with backslashes.
    private static func keyword(_ keyword: String, in text: Substring) -> Range<String.Index>? {
        var from = text.startIndex
        while let name = text[from...].firstRange(of: keyword) {
            from = name.upperBound
            let before = name.lowerBound > text.startIndex ? text[text.index(before: name.lowerBound)] : " "
            guard before == " " || before == "?" || before == "&" || before == "\t" || before == "\n" else { continue }
            var index = text[name.upperBound...].firstIndex { $0 != " " } ?? text.endIndex
            guard index < text.endIndex, text[index] == "=" else { continue }
            index = text[text.index(after: index)...].firstIndex { $0 != " " } ?? text.endIndex
            return index..<Self.endOfValue(text, index)
        }
        return nil
    }

    private static func endOfValue(_ text: Substring, _ start: String.Index) -> String.Index {
        guard start < text.endIndex else { return start }
        let isQuoted = text[start] == "'"
        var index = isQuoted ? text.index(after: start) : start
        while index < text.endIndex {
            let character = text[index]
            if character == "\\" {
                index = text.index(index, offsetBy: 2, limitedBy: text.endIndex) ?? text.endIndex
                continue
            }
            if isQuoted && character == "'" { return text.index(after: index) }
            if !isQuoted && (character == " " || character == "&") { return index }
            index = text.index(after: index)
        }
        return text.endIndex
    }
}
