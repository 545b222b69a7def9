import MessageIDs

/// Finds the token in a request target, without knowing keys: first as it was minted, then with what travel did to it.
///
/// A link may stand below any path prefix: the last two segments that are not empty decide. Only `/v1/…`, the hub's own
/// API, and `…/push/open`, another client's own route, are never links.
enum LinkTarget {
    /// Where the token is in the bytes that were looked at.
    struct Location: Equatable {
        var text: TokenText
        /// What the path says; nil in the style whose kind is inside the token only.
        var kind: EventKind?
        var range: Range<Int>
        var wantsImage = false
    }

    enum Finding: Equatable {
        case notALink
        case damaged(LinkDamage)
        case token(Location)
    }

    /// Where the token of a target as it was minted would be; nil says nothing, ask ``find(_:)``. So does a token with
    /// characters that are none of its text's.
    static func clean(_ target: UnsafeBufferPointer<UInt8>) -> Location? {
        guard let slash = Self.lastSlash(target) else { return nil }
        let path = UnsafeBufferPointer(rebasing: target[..<slash])
        let range = slash + 1..<target.count
        let location: Location
        let prefixBytes: Int
        if Self.ends(path, with: Self.ackPath) {
            location = Location(text: .base64URL, kind: .ack, range: range)
            prefixBytes = path.count - Self.ackPath.count
        } else if Self.ends(path, with: Self.openPath) {
            location = Location(text: .base64URL, kind: .open, range: range)
            prefixBytes = path.count - Self.openPath.count
        } else if Self.ends(path, with: Self.cryptoQuery) {
            location = Location(text: .hexadecimal, kind: nil, range: range)
            prefixBytes = path.count - Self.cryptoQuery.count
        } else {
            return nil
        }
        // Mostly empty. A `?`, a `%` or an empty segment in it needs the careful way.
        if prefixBytes == 0 { return location }
        var before: UInt8 = 0
        for byte in path[..<prefixBytes] {
            let isSlash = byte == UInt8(ascii: "/")
            guard Self.isPathByte(byte) || (isSlash && before != byte) else { return nil }
            before = byte
        }
        return before == UInt8(ascii: "/") || Self.isOwnAPI(path) ? nil : location
    }

    /// A target with its percent-encoding undone and its slashes single (see ``LinkRepair``).
    static func find(_ target: UnsafeBufferPointer<UInt8>) -> Finding {
        if Self.isOwnAPI(target) { return .notALink }
        let pathEnd = target.firstIndex { Self.endsPath($0) } ?? target.count
        var path = target[..<pathEnd]
        if let finding = Self.findCrypto(target, path) { return finding }

        var wantsImage = false
        Self.trimTrail(&path)
        if Self.ends(path, withFolded: Self.imageSuffix) {
            path = path.dropLast(Self.imageSuffix.count)
            wantsImage = true
        }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        guard let slash else { return .notALink }
        let parent = path[..<slash]
        for kind in EventKind.allCases {
            let folder = kind == .ack ? Self.ackPath : Self.openPath
            if Self.ends(parent, withFolded: folder) {
                let range = slash + 1..<path.endIndex
                return .token(Location(text: .base64URL, kind: kind, range: range, wantsImage: wantsImage))
            }
            // The whole token was lost, unless this is `/event/push/open` of another dialect.
            if Self.ends(path, withFolded: folder) {
                return Self.ends(parent, withFolded: Self.pushPath) ? .notALink : .damaged(.truncated)
            }
        }
        // A slash inside the token, where a letter was: `/open/AbC/dEf`.
        if Self.contains(path, folded: Self.ackFolder) || Self.contains(path, folded: Self.openFolder) {
            return .damaged(.alphabet)
        }
        return .notALink
    }

    /// `…/crypto_post_events?/TOKEN`; nil when the path is not that one.
    private static func findCrypto(_ target: UnsafeBufferPointer<UInt8>, _ path: Slice<UnsafeBufferPointer<UInt8>>)
        -> Finding?
    {
        var folder = path
        while folder.last == UInt8(ascii: "/") { folder = folder.dropLast() }
        guard Self.ends(folder, withFolded: Self.cryptoPath) else {
            return Self.contains(path, folded: Self.cryptoPath) ? .damaged(Self.cryptoPathDamage(path)) : nil
        }
        guard path.endIndex < target.endIndex, target[path.endIndex] == UInt8(ascii: "?") else {
            return .damaged(.truncated)
        }
        var start = path.endIndex + 1
        while start < target.endIndex && target[start] == UInt8(ascii: "/") { start += 1 }
        var token = target[start...]
        // Who appends `?name=value` does not see that this link has a `?` already.
        token = token[..<(token.firstIndex(where: Self.endsPath) ?? token.endIndex)]
        // Who reads the query as pairs and writes it again turns the bare token into a name without a value.
        if token.last == UInt8(ascii: "=") { token = token.dropLast() }
        Self.trimTrail(&token)
        var wantsImage = false
        if Self.ends(token, withFolded: Self.imageSuffix) {
            token = token.dropLast(Self.imageSuffix.count)
            wantsImage = true
        }
        let range = token.startIndex..<token.endIndex
        return .token(Location(text: .hexadecimal, kind: nil, range: range, wantsImage: wantsImage))
    }

    /// `crypto_post_events=3F/…` is quoted-printable; otherwise the `?` was lost.
    private static func cryptoPathDamage(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> LinkDamage {
        path.contains(UInt8(ascii: "=")) ? .quotedPrintable : .alphabet
    }

    // MARK: Bytes

    private static let ackPath = Array("/\(EventKind.ack.name)".utf8)
    private static let openPath = Array("/\(EventKind.open.name)".utf8)
    private static let ackFolder = Array("/\(EventKind.ack.name)/".utf8)
    private static let openFolder = Array("/\(EventKind.open.name)/".utf8)
    private static let pushPath = Array("/push".utf8)
    private static let cryptoPath = Array(LinkToken.cryptoPath.utf8)
    private static let cryptoQuery = Array("\(LinkToken.cryptoPath)?".utf8)
    private static let imageSuffix = Array(".gif".utf8)
    static let imageSuffixBytes = 4

    /// RFC 3986 section 2.3, unreserved.
    static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func endsPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "&")
    }

    /// `/v1/…`: the hub's own API.
    static func isOwnAPI(_ path: some Collection<UInt8>) -> Bool { path.starts(with: "/v1/".utf8) }

    /// What sentences and mark-up leave behind a URL.
    private static func trimTrail(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) {
        while let last = text.last {
            switch last {
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "/"), 0x0a,
                0x0d:
                text = text.dropLast()
            default: return
            }
        }
    }

    private static func ends(_ text: UnsafeBufferPointer<UInt8>, with end: [UInt8]) -> Bool {
        guard text.count >= end.count else { return false }
        let start = text.count - end.count
        for index in end.indices where text[start &+ index] != end[index] { return false }
        return true
    }

    /// Eight bytes at a time from the end on: a token is long.
    private static func lastSlash(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        let bytes = UnsafeRawBufferPointer(text)
        let lows: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
        var end = text.count
        while end >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self))
            let difference = word ^ 0x2f2f_2f2f_2f2f_2f2f
            // The top bit of each byte that is a slash (Hacker's Delight 6-1, without carries between bytes).
            let marks = ~((difference & lows) &+ lows | difference | lows)
            if marks != 0 { return end &- 1 &- marks.leadingZeroBitCount / 8 }
            end &-= 8
        }
        return text[..<end].lastIndex(of: UInt8(ascii: "/"))
    }

    /// Compares without regard to case; `end` is in lower case.
    private static func ends(_ text: Slice<UnsafeBufferPointer<UInt8>>, withFolded end: [UInt8]) -> Bool {
        guard text.count >= end.count else { return false }
        let start = text.endIndex - end.count
        for index in end.indices where Self.folded(text[start + index]) != end[index] { return false }
        return true
    }

    private static func contains(_ text: Slice<UnsafeBufferPointer<UInt8>>, folded part: [UInt8]) -> Bool {
        guard text.count > part.count else { return false }
        return (part.count...text.count).contains { Self.ends(text.prefix($0), withFolded: part) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
