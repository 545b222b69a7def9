import Glibc

@testable import HTTPFrontEnd

/// A raw client: sends exactly these bytes, and shows exactly what came.
final class TestClient {
    struct Failure: Error, CustomStringConvertible { var description: String }

    /// Long enough for a loaded machine; only a failing test waits for it.
    private static let patienceSeconds = 10

    let descriptor: Int32
    private var received: [UInt8] = []
    private var isOpen = true

    /// - Parameter descriptor: A fresh socket of that family, where the test made it beforehand.
    init(_ address: SocketAddress, on descriptor: Int32? = nil, receiveBufferBytes: Int32? = nil) throws {
        self.descriptor = descriptor ?? socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBufferBytes {
            setsockopt(self.descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBufferBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let result = address.withSystemAddress { connect(self.descriptor, $0, $1) }
        guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(self.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { self.close() }

    func close() {
        if self.isOpen { Glibc.close(self.descriptor) }
        self.isOpen = false
    }

    /// Closes with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        self.close()
    }

    func shutdownSending() { shutdown(self.descriptor, Int32(SHUT_WR)) }

    func send(_ text: String) throws { try self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(self.descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            sent += count
        }
    }

    /// One read; 0 = the end of the stream.
    private func fill() throws -> Int {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(self.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else {
            throw Failure(description: "recv: errno \(errno), so far \(self.received.count) bytes")
        }
        self.received += bytes[..<count]
        return count
    }

    /// Exactly so many bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        while self.received.count < count {
            guard try self.fill() > 0 else {
                throw Failure(description: "end of stream after \(String(decoding: self.received, as: UTF8.self))")
            }
        }
        defer { self.received.removeFirst(count) }
        return Array(self.received[..<count])
    }

    /// Everything up to and with that text.
    func receive(through end: String) throws -> String {
        let pattern = Array(end.utf8)
        var start = 0
        while true {
            while start + pattern.count <= self.received.count {
                if self.received[start...].starts(with: pattern) {
                    return String(decoding: try self.receive(start + pattern.count), as: UTF8.self)
                }
                start += 1
            }
            guard try self.fill() > 0 else {
                throw Failure(description: "end of stream after \(String(decoding: self.received, as: UTF8.self))")
            }
        }
    }

    /// Everything until the peer closes; a reset throws.
    func receiveToEnd() throws -> String {
        while try self.fill() > 0 {}
        defer { self.received.removeAll() }
        return String(decoding: self.received, as: UTF8.self)
    }

    /// A head, its date replaced by `DATE`.
    func receiveHead() throws -> String { Self.withoutDates(try self.receive(through: "\r\n\r\n")) }

    /// Nothing is here to be read.
    var isSilent: Bool {
        var byte: UInt8 = 0
        return self.received.isEmpty
            && recv(self.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Replaces each Date's value: its form is checked here.
    static func withoutDates(_ text: String) -> String {
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        for index in lines.indices where lines[index].hasPrefix("Date: ") {
            if lines[index].utf8.count == 35, lines[index].hasSuffix(" GMT") { lines[index] = "Date: DATE" }
        }
        return lines.joined(separator: "\r\n")
    }
}
