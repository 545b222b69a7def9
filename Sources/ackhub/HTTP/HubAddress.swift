/// Where a hub listens: the parts of its public URL that a plain HTTP client needs.
struct HubAddress: Sendable, Equatable {
    let host: String
    let port: UInt16
    /// What every API path begins with; empty, or `/path` without a trailing slash.
    let prefix: String

    /// Reads `http://host[:port][/path]`; nil for anything else (TLS too: see `ackhub simulate --help`).
    init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(7)
        let authority = rest.prefix { $0 != "/" }
        guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }) else { return nil }
        var prefix = rest.dropFirst(authority.count)
        while prefix.hasSuffix("/") { prefix.removeLast() }
        guard !prefix.contains(where: { "?# ".contains($0) }) else { return nil }
        var name = authority
        var port: UInt16 = 80
        // The colon of a port comes after the closing bracket of a v6 address.
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            port = number
            name = authority[..<colon]
        }
        if name.hasPrefix("[") {
            guard name.hasSuffix("]") else { return nil }
            name = name.dropFirst().dropLast()
        }
        guard !name.isEmpty else { return nil }
        self.host = String(name)
        self.port = port
        self.prefix = String(prefix)
    }

    /// The value of a Host field.
    var authority: String { (self.host.contains(":") ? "[\(self.host)]" : self.host) + ":\(self.port)" }

    /// The part of a URL after scheme and authority: what a device asks for. A text without a scheme is its own path.
    static func path(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let path = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }
}
