// What may stand before a link.
extension LinkMinter {
    /// The longest public URL; the links' length is bounded with it.
    public static let publicURLBytesMax = 512

    /// Why a URL can't be the links' base, as a sentence; nil when it can.
    ///
    /// It is `http` or `https`, a host with an optional port, and a path of unreserved characters (RFC 3986 section 2.3)
    /// that neither ends in a slash nor begins with `/v1`, where the hub's own API lives.
    public static func problem(withPublicURL url: String) -> String? {
        let bytes = Array(url.utf8)
        guard bytes.count <= Self.publicURLBytesMax else { return "The public URL is longer than 512 bytes." }
        let scheme = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let scheme else { return "The public URL must begin with https:// or http://." }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !authority.isEmpty, authority.first != UInt8(ascii: ":"), authority.allSatisfy(Self.isOfAuthority) else {
            return "The public URL has no plain host and port after \(scheme)."
        }
        let path = rest.dropFirst(authority.count)
        guard path.last != UInt8(ascii: "/") else { return "The public URL must not end in a slash." }
        guard path.allSatisfy({ LinkTarget.isPathByte($0) || $0 == UInt8(ascii: "/") }),
            !zip(path, path.dropFirst()).contains(where: { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") })
        else { return "The public URL's path has a character that links can't carry safely." }
        guard !LinkTarget.isOwnAPI(path + [UInt8(ascii: "/")]) else {
            return "The public URL's path begins with /v1, which is the hub's own API."
        }
        return nil
    }

    private static func isOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
