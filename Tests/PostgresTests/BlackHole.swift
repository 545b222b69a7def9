import Glibc
import TestSupport

/// Listens on 127.0.0.1 and never answers: the kernel makes the connections, and nobody reads them.
final class BlackHole: Sendable {
    let port: UInt16
    private let listener: Int32

    init() {
        self.port = freePort()
        self.listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = self.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let listener = self.listener
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(status == 0 && listen(listener, 128) == 0, "errno \(errno)")
    }

    /// How many connections have been made since the last question.
    func takeConnections() -> Int {
        var count = 0
        while true {
            let connection = accept(self.listener, nil, nil)
            guard connection >= 0 else { return count }
            close(connection)
            count += 1
        }
    }

    deinit { close(self.listener) }
}
