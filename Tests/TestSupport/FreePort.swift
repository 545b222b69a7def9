import Glibc

/// A TCP port of 127.0.0.1 that nobody listened on a moment ago.
///
/// It lies below the ports that the kernel gives to outgoing connections (ip_local_port_range, from 32768): a server that is
/// down for a moment would find one of those taken when it comes back, and a client that tries such a port while nobody
/// listens may connect to itself.
package func freePort() -> UInt16 {
    for _ in 0..<1_000 {
        let port = UInt16.random(in: 10_000..<32_000)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return port }
    }
    fatalError("no free port: errno \(errno)")
}
