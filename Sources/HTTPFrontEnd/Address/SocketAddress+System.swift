package import Glibc

extension SocketAddress {
    /// What the kernel wrote; nil for another family than v4 and v6.
    init?(_ storage: borrowing sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            self = withUnsafeBytes(of: storage) {
                let address = $0.loadUnaligned(as: sockaddr_in.self)
                return SocketAddress(
                    v4: UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
            }
        case AF_INET6:
            self = withUnsafeBytes(of: storage) {
                let address = $0.loadUnaligned(as: sockaddr_in6.self)
                let value = withUnsafeBytes(of: address.sin6_addr) { $0.loadUnaligned(as: UInt128.self) }
                return SocketAddress(v6: UInt128(bigEndian: value), port: UInt16(bigEndian: address.sin6_port))
            }
        default:
            return nil
        }
    }

    package var family: Int32 { self.length == 4 ? AF_INET : AF_INET6 }

    /// The address as the system calls take it; valid inside the closure only.
    package func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if self.length == 4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = self.port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: self.bytes.value).bigEndian
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = self.port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) {
            $0.storeBytes(of: self.bytes.value.bigEndian, as: UInt128.self)
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
}
