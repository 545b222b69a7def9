package import HTTPFrontEnd

/// An address range, v4 or v6.
package struct CIDR: Hashable, Sendable {
    private let prefix: UInt128
    private let mask: UInt128
    private let length: Int

    /// `10.0.0.0/8`, `fd00::/8`, or a single address. Host bits are ignored; a v4-mapped range of /96 or longer is v4.
    package init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(text: String(first)) else { return nil }
        var bits = address.length * 8
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
                var given = Int(digits)
            else { return nil }
            if address.length == 4 && first.contains(":") { given -= 96 }
            guard (0...bits).contains(given) else { return nil }
            bits = given
        }
        let hostBits = address.length * 8 - bits
        self.length = address.length
        self.mask = hostBits >= 128 ? 0 : ~UInt128(0) << UInt128(hostBits)
        self.prefix = address.value & self.mask
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.length == self.length && address.value & self.mask == self.prefix
    }

    package func contains(_ address: SocketAddress) -> Bool { self.contains(IPAddress(address)) }
}
