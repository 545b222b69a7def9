import Foundation
import HTTPFrontEnd
import StrictJSON

/// One connection of a test's HTTP/1.1 client. Blocking calls run on threads of their own, because the endpoints under test
/// need the cooperative ones.
final class APITestConnection: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, status == 0 else { throw APITestError("connect: errno \(errno)") }
        var deadline = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        self.descriptor = descriptor
    }

    deinit { close(self.descriptor) }

    func send(_ text: String) async throws { try await self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        let isSent = await Self.onThread { [descriptor = self.descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
        guard isSent else { throw APITestError("the server took no more bytes") }
    }

    /// What is there, at least one byte; empty at the end of the stream.
    func receive() async throws -> [UInt8] {
        let bytes: [UInt8]? = await Self.onThread { [descriptor = self.descriptor] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count < 0 ? nil : Array(buffer.prefix(count))
        }
        guard let bytes else { throw APITestError("no answer within 20 seconds") }
        return bytes
    }

    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}

struct APITestError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Reads answers from a connection: all at once, or head first and then the body as it comes.
struct APITestReader {
    private let connection: APITestConnection
    private var bytes: [UInt8] = []
    private var isChunked = false
    private var bodyBytesLeft = 0
    private var isAtEnd = false

    init(_ connection: APITestConnection) {
        self.connection = connection
    }

    /// Status and fields of the next answer.
    mutating func head(isBodyless: Bool = false) async throws -> APITestReply {
        let end = try await self.find(Array("\r\n\r\n".utf8))
        let lines = String(decoding: self.bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        self.bytes.removeFirst(end + 4)
        guard let status = Int(lines[0].split(separator: " ")[1]) else { throw APITestError("no status: \(lines[0])") }
        if status == 100 { return try await self.head(isBodyless: isBodyless) }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: parts[0].lowercased(), value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        let reply = APITestReply(status: status, headers: headers)
        self.isChunked = reply.header("transfer-encoding") == "chunked"
        self.bodyBytesLeft = isBodyless ? 0 : Int(reply.header("content-length") ?? "0") ?? 0
        self.isAtEnd = isBodyless || !self.isChunked && self.bodyBytesLeft == 0
        return reply
    }

    /// The next piece of the body; nil at its end.
    mutating func piece() async throws -> [UInt8]? {
        guard !self.isAtEnd else { return nil }
        if self.isChunked {
            let end = try await self.find([13, 10])
            guard let size = Int(String(decoding: self.bytes[..<end], as: UTF8.self), radix: 16) else {
                throw APITestError("bad chunk size")
            }
            self.bytes.removeFirst(end + 2)
            while self.bytes.count < size + 2 { try await self.fill() }
            let piece = Array(self.bytes.prefix(size))
            self.bytes.removeFirst(size + 2)
            self.isAtEnd = size == 0
            return size == 0 ? nil : piece
        }
        if self.bytes.isEmpty { try await self.fill() }
        let piece = Array(self.bytes.prefix(self.bodyBytesLeft))
        self.bytes.removeFirst(piece.count)
        self.bodyBytesLeft -= piece.count
        self.isAtEnd = self.bodyBytesLeft == 0
        return piece
    }

    mutating func reply(isBodyless: Bool = false) async throws -> APITestReply {
        var reply = try await self.head(isBodyless: isBodyless)
        while let piece = try await self.piece() { reply.body += piece }
        return reply
    }

    private mutating func find(_ pattern: [UInt8]) async throws -> Int {
        while true {
            var index = 0
            while index + pattern.count <= self.bytes.count {
                if self.bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
                index += 1
            }
            try await self.fill()
        }
    }

    private mutating func fill() async throws {
        let more = try await self.connection.receive()
        guard !more.isEmpty else { throw APITestError("the server closed the connection") }
        self.bytes += more
    }
}

struct APITestReply: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []

    func header(_ name: String) -> String? { self.headers.first { $0.name == name }?.value }

    var text: String { String(decoding: self.body, as: UTF8.self) }

    var json: JSONValue {
        get throws { try JSONValue(parsing: self.body.span.bytes) }
    }

    /// NDJSON: a value a line.
    var lines: [JSONValue] {
        get throws {
            try self.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8).span.bytes) }
        }
    }

    /// A problem's code.
    var code: String? { try? self.json["code"]?.text }

    /// A problem's faults, as `pointer code` or `parameter code`.
    var faults: [String] {
        ((try? self.json["errors"]?.items) ?? []).map { fault in
            "\(fault["pointer"]?.text ?? fault["parameter"]?.text ?? "?") \(fault["code"]?.text ?? "?")"
        }
    }
}
