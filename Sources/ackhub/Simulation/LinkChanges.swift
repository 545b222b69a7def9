import HubLinks

/// What travel does to a link without losing its meaning: the hub must still count it (design section 4).
enum LinkRepair: Sendable, CaseIterable {
    case parameters, fragment, fullStop, comma, bracket, angle, slash, lineFeed, percentEncoding, doubledSlash,
        letterCase

    /// Which of them apply to a link of that style.
    static func possible(for style: LinkStyle) -> [LinkRepair] {
        // Only hex is read in any case.
        self.allCases.filter { $0 != .letterCase || style == .cryptoPostEvents }
    }

    func apply(to path: String) -> String {
        switch self {
        case .parameters: path + (path.contains("?") ? "&utm_source=push&fbclid=a1" : "?utm_source=push&fbclid=a1")
        case .fragment: path + "#top"
        case .fullStop: path + "."
        case .comma: path + ","
        case .bracket: path + ")"
        case .angle: path + ">"
        case .slash: path + "/"
        case .lineFeed: path + "%0A"
        case .percentEncoding: Self.percentEncode(path)
        case .doubledSlash: LinkFault.split(path).folder + "/" + LinkFault.split(path).token
        case .letterCase: LinkFault.split(path).folder + LinkFault.split(path).token.uppercased()
        }
    }

    /// Writes one letter of the token, a quarter in, as its percent-encoding.
    private static func percentEncode(_ path: String) -> String {
        let (folder, token) = LinkFault.split(path)
        var letters = Array(token.utf8)
        let place = letters.count / 4
        let digits = Array("0123456789ABCDEF".utf8)
        letters.replaceSubrange(
            place...place,
            with: [UInt8(ascii: "%"), digits[Int(letters[place] >> 4)], digits[Int(letters[place] & 15)]])
        return folder + String(decoding: letters, as: UTF8.self)
    }
}

/// What makes a link worthless: the hub must answer 404 and count nothing.
enum LinkFault: Sendable, CaseIterable {
    case changedLetter, cutShort, wrongKind, wrongCase, foreign, empty

    /// Which of them apply to a link of that style.
    static func possible(for style: LinkStyle) -> [LinkFault] {
        // The kind and the case stand in the path style only.
        style == .cryptoPostEvents ? [.changedLetter, .cutShort, .foreign] : self.allCases
    }

    func apply(to path: String) -> String {
        let (folder, token) = Self.split(path)
        switch self {
        case .changedLetter: return folder + Self.changeLetter(of: token)
        case .cutShort: return folder + token.dropLast(6)
        case .wrongKind:
            return folder.hasSuffix("/ack/")
                ? folder.dropLast(4) + "open/" + token : folder.dropLast(5) + "ack/" + token
        // A token has some 70 letters of both cases.
        case .wrongCase: return folder + token.uppercased()
        case .foreign: return folder + String(repeating: "7e", count: token.utf8.count / 2)
        case .empty: return folder
        }
    }

    /// All up to the token, and the token.
    static func split(_ path: String) -> (folder: String, token: String) {
        let end = path.lastIndex(of: "/")!
        return (String(path[...end]), String(path[path.index(after: end)...]))
    }

    /// Changes a letter in the middle: the last one may hold bits that no reader looks at.
    private static func changeLetter(of token: String) -> String {
        var letters = Array(token.utf8)
        let place = letters.count / 2
        letters[place] = letters[place] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
        return String(decoding: letters, as: UTF8.self)
    }
}
