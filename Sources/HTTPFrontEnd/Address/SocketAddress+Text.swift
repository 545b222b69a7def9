import Glibc

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:8080`, `[::1]:8080`, `:8080` (all v6 and v4), port 0 = a free one.
    ///
    /// Names are not resolved; nil for anything else than an address in digits and a port of 0–65535.
    package init?(text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Self.port(text.utf8[text.utf8.index(after: colon)...])
        else { return nil }
        let host = String(text[..<colon])
        if host.isEmpty {
            self.init(v6: 0, port: port)
        } else if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
            self.init(
                v6: withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }, port: port)
        } else {
            var address = in_addr()
            guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
            self.init(v4: UInt32(bigEndian: address.s_addr), port: port)
        }
    }

    /// As `init(text:)` reads it.
    package var description: String {
        self.length == 4 ? "\(self.hostDescription):\(self.port)" : "[\(self.hostDescription)]:\(self.port)"
    }

    /// The address without brackets and port.
    package var hostDescription: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if self.length == 4 {
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: self.bytes.value).bigEndian)
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        } else {
            var address = in6_addr()
            withUnsafeMutableBytes(of: &address) { $0.storeBytes(of: self.bytes.value.bigEndian, as: UInt128.self) }
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        }
        let end = text.firstIndex(of: 0) ?? text.count
        return String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func port(_ digits: Substring.UTF8View) -> UInt16? {
        guard !digits.isEmpty, digits.count <= 5, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return UInt16(String(Substring(digits)))
    }
}
