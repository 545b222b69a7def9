import CLinux
import Glibc

/// A listening address with one socket a loop, the kernel sharing new connections out among them (SO_REUSEPORT).
struct Listener {
    /// Connections that the kernel keeps until they are accepted; it caps this at net.core.somaxconn.
    private static let backlog: Int32 = 4_096
    /// Bytes of one connection that the kernel keeps beyond what the peer's window lets it send.
    private static let unsentBytesMax: Int32 = 128 << 10

    /// With the real port.
    let address: SocketAddress
    let descriptors: [Int32]

    /// Binds and listens. The first socket binds alone, so that an address that anybody else listens on, another hub
    /// included, is refused; only then it lets its own siblings in.
    ///
    /// - Parameter sharesV4: `[::]` takes v4 too, unless v4 has a listener of its own on that port.
    init(_ wanted: SocketAddress, count: Int, sharesV4: Bool) throws(HTTPServerError) {
        var wanted = wanted
        var descriptors: [Int32] = []
        do throws(HTTPServerError) {
            for index in 0..<count {
                let isFirst = index == 0
                var descriptor = clinux_tcp_socket(wanted.family)
                if descriptor < 0, errno == EAFNOSUPPORT, wanted.isAnyV6 {
                    // A machine without v6: "every address" is every v4 address.
                    wanted = SocketAddress(v4: 0, port: wanted.port)
                    descriptor = clinux_tcp_socket(wanted.family)
                }
                guard descriptor >= 0 else { throw Self.error(wanted, errno) }
                descriptors.append(descriptor)
                try Self.bind(descriptor, wanted, sharesPort: !isFirst, sharesV4: sharesV4)
                if isFirst { wanted.port = Self.port(of: descriptor) ?? wanted.port }
            }
            for descriptor in descriptors where listen(descriptor, Self.backlog) != 0 {
                throw Self.error(wanted, errno)
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        self.address = wanted
        self.descriptors = descriptors
    }

    private static func bind(_ descriptor: Int32, _ address: SocketAddress, sharesPort: Bool, sharesV4: Bool)
        throws(HTTPServerError)
    {
        self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if sharesPort { self.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
        // Accepted sockets inherit it (tcp(7)): one system call less for each.
        self.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Inherited too. The kernel would take megabytes ahead of a slow reader, and then nothing for so long that the reader
        // looks dead.
        self.set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.unsentBytesMax)
        if address.family == AF_INET6 { self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, sharesV4 ? 0 : 1) }
        guard address.withSystemAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw self.error(address, errno)
        }
        if !sharesPort { self.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? SocketAddress(storage)?.port : nil
    }

    private static func error(_ address: SocketAddress, _ reason: Int32) -> HTTPServerError {
        HTTPServerError(code: .bind, detail: "can't listen on \(address): \(String(cString: strerror(reason)))")
    }
}
