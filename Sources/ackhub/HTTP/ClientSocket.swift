import CommandLineOptions
import Glibc

/// One non-blocking TCP connection; closes in deinit. Owned by one thread.
struct ClientSocket: ~Copyable {
    let descriptor: Int32

    /// What became of a read or a write: would-block and the end are results, not errors.
    enum Outcome: Equatable {
        case bytes(Int)
        case wouldBlock
        case end
        case failed(Int32)
    }

    /// Begins to connect; writable when it is done.
    ///
    /// - Throws: when no socket can be had or the refusal comes at once.
    init(connectingTo target: ResolvedAddress) throws(ClientSocketError) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(target.family, kind, 0)
        guard descriptor >= 0 else { throw ClientSocketError(code: errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let result = target.withAddress { connect(descriptor, $0, $1) }
        let code = errno
        if result != 0 && code != EINPROGRESS {
            close(descriptor)
            throw ClientSocketError(code: code)
        }
        self.descriptor = descriptor
    }

    deinit { close(self.descriptor) }

    /// After the socket became writable for the first time: 0, or why the connection failed.
    func connectError() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(self.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code
    }

    func send(_ bytes: ArraySlice<UInt8>) -> Outcome {
        let count = bytes.withUnsafeBytes {
            Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        let code = errno
        if count >= 0 { return .bytes(count) }
        return code == EAGAIN || code == EINTR ? .wouldBlock : .failed(code)
    }

    func receive(into buffer: inout [UInt8]) -> Outcome {
        let count = buffer.withUnsafeMutableBytes { recv(self.descriptor, $0.baseAddress, $0.count, 0) }
        let code = errno
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return code == EAGAIN || code == EINTR ? .wouldBlock : .failed(code)
    }
}

struct ClientSocketError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(self.code)) }
}

/// A hub's address, looked up once.
struct ResolvedAddress: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    init(_ address: HubAddress) throws(CommandError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address.host, String(address.port), &hints, &list)
        guard code == 0, let first = list else {
            throw CommandError("cannot find \(address.host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        self.family = first.pointee.ai_family
        self.bytes = Array(
            UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }

    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        self.bytes.withUnsafeBytes {
            body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }
}
