import Foundation
import Glibc

/// Runs blocking work on a thread of its own: a test must not hold a thread of the pool that the hub's endpoints run on.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// An HTTP response as it came.
struct DeviceResponse: Sendable, Equatable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: [UInt8]
    /// Status line, fields and body, without Date, which may change between two answers.
    var rawWithoutDate: String
    var text: String { String(decoding: self.body, as: UTF8.self) }
}

/// A device's connection: plain blocking sockets, so that nothing is hidden. One thread at a time.
final class DeviceConnection {
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    let descriptor: Int32
    private var received: [UInt8] = []

    /// Every call fails after ten seconds.
    init(port: UInt16) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(self.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Fault(description: "connect: errno \(errno)") }
    }

    deinit { close(self.descriptor) }

    func send(_ text: String) throws { try self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Fault(description: "send: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether something, or the end, arrives within so long.
    func hasInput(milliseconds: Int32) -> Bool {
        if !self.received.isEmpty { return true }
        var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    func read(isHead: Bool = false) throws -> DeviceResponse {
        let end = Array("\r\n\r\n".utf8)
        var headCount: Int?
        while headCount == nil {
            headCount = self.received.firstRange(of: end)?.upperBound
            if headCount == nil { try self.fill() }
        }
        let head = String(decoding: self.received[..<headCount!], as: UTF8.self)
        var lines = head.split(separator: "\r\n").map(String.init)
        guard let status = Int(lines.removeFirst().split(separator: " ")[1]) else { throw Fault(description: head) }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let bodyCount = isHead || status == 204 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
        while self.received.count < headCount! + bodyCount { try self.fill() }
        let body = Array(self.received[headCount!..<headCount! + bodyCount])
        self.received.removeFirst(headCount! + bodyCount)
        let raw = head.split(separator: "\r\n").filter { !$0.lowercased().hasPrefix("date:") }.joined(separator: "\n")
        return DeviceResponse(
            status: status, headers: headers, body: body,
            rawWithoutDate: raw + "\n\n" + String(decoding: body, as: UTF8.self))
    }

    /// True when the peer has closed.
    func isAtEnd() -> Bool {
        var byte: UInt8 = 0
        return self.received.isEmpty && recv(self.descriptor, &byte, 1, 0) <= 0
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(self.descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Fault(description: count == 0 ? "closed" : "recv: errno \(errno)") }
        self.received += buffer[..<count]
    }

    /// One request and its answer. `fields` are whole lines without their ends.
    func exchange(_ method: String, _ target: String, _ fields: [String] = []) throws -> DeviceResponse {
        try self.send(Self.request(method, target, fields))
        return try self.read(isHead: method == "HEAD")
    }

    static func request(_ method: String, _ target: String, _ fields: [String] = []) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: hub.test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
