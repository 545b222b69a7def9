import Glibc

@testable import ackhub

/// One request on a connection of its own, blocking.
enum OneRequest {
    private static let timeoutMilliseconds: Int32 = 10_000

    static func send(
        _ method: String, _ path: String, port: UInt16, fields: [String] = [], body: [UInt8]? = nil
    ) throws -> HTTPAnswer {
        let length = body.map { ["Content-Length: \($0.count)"] } ?? []
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields + length
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
        let socket = try ClientSocket(connectingTo: try ResolvedAddress(HubAddress(url: "http://127.0.0.1:\(port)")!))
        try self.wait(socket, POLLOUT)
        guard socket.connectError() == 0 else { throw ClientSocketError(code: socket.connectError()) }
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.send(rest) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try self.wait(socket, POLLOUT)
            case .end: throw TestFailure("closed")
            case .failed(let code): throw ClientSocketError(code: code)
            }
        }
        return try self.receive(socket, isHead: method == "HEAD")
    }

    private static func receive(_ socket: borrowing ClientSocket, isHead: Bool) throws -> HTTPAnswer {
        var parser = HTTPAnswerParser()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let outcome = socket.receive(into: &buffer)
            switch outcome {
            case .bytes(let count): parser.append(buffer[..<count])
            case .wouldBlock: try self.wait(socket, POLLIN)
            case .end: break
            case .failed(let code): throw ClientSocketError(code: code)
            }
            if let answer = try parser.next(isHead: isHead, isEnd: outcome == .end) { return answer }
            if outcome == .end { throw TestFailure("closed without an answer") }
        }
    }

    private static func wait(_ socket: borrowing ClientSocket, _ events: Int32) throws {
        var entry = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, self.timeoutMilliseconds) > 0 else { throw TestFailure("no answer in time") }
    }
}
