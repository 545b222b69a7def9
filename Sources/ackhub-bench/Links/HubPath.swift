/// The part of a link that a request asks for.
enum HubPath {
    /// Bytes of scheme and authority, behind which the path begins.
    static func start(in url: String) -> Int {
        guard let scheme = url.firstRange(of: "://") else { return 0 }
        let rest = url[scheme.upperBound...]
        return url[..<(rest.firstIndex(of: "/") ?? rest.endIndex)].utf8.count
    }

    static func path(of url: String) -> String {
        String(decoding: url.utf8.dropFirst(Self.start(in: url)), as: UTF8.self)
    }
}
