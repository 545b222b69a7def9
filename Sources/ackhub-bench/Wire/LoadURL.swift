import HTTPFrontEnd

/// Where the load goes: `http` or `https`, an address in digits or `localhost`, a port.
///
/// Names are not looked up: a run must not measure a resolver, nor one day meet another machine.
struct LoadURL: Sendable, Equatable {
    let isTLS: Bool
    let address: SocketAddress
    /// What a Host field and a certificate call it.
    let host: String

    /// Nil for anything else, a path or a query too.
    init?(text: String) {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let isTLS = scheme == "https://"
        var authority = String(text.dropFirst(scheme.count))
        if authority.hasSuffix("/") { authority.removeLast() }
        // A colon before the closing bracket belongs to a v6 address.
        let port = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let host = String(authority[..<(port ?? authority.endIndex)])
        guard !host.isEmpty else { return nil }
        let numeric =
            (host == "localhost" ? "127.0.0.1" : host) + (port.map { authority[$0...] } ?? (isTLS ? ":443" : ":80"))
        guard let address = SocketAddress(text: numeric), address.port > 0 else { return nil }
        self.isTLS = isTLS
        self.address = address
        self.host = host
    }

    /// The value of a Host field.
    var authority: String { "\(self.host):\(self.address.port)" }

    /// 127.0.0.0/8 or ::1: this machine, and nobody else's.
    var isLoopback: Bool {
        let value = self.address.bytes.value
        return self.address.length == 4 ? value >> 24 == 127 : value == 1
    }
}
