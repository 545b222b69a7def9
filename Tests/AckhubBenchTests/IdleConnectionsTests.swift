import CommandLineOptions
import TestSupport
import Testing

@testable import ackhub_bench

@Suite(.blocking)
struct IdleConnectionsTests {
    private func list(_ server: BenchServer, _ target: String, count: Int, closes: Bool = false) -> RequestList {
        var list = RequestList(authority: server.url().authority, closes: closes)
        for number in 0..<count { list.append(Array("\(target)/\(number)".utf8), .other) }
        return list
    }

    /// Each connection has one request, and stays.
    @Test func holdsConnections() throws {
        let server = try BenchServer()
        let connections = IdleConnections(server.url())
        try connections.open(self.list(server, "/now", count: 50))
        #expect(server.acceptedConnections == 50 && server.targets == (0..<50).map { "/now/\($0)" })
        #expect(connections.countIdle() == 50)
    }

    /// A connection that the server closes, or an answer that is no 2xx, is found.
    @Test(arguments: ["/busy", "/close"]) func findsARefusal(target: String) throws {
        let server = try BenchServer()
        let connections = IdleConnections(server.url())
        #expect(throws: CommandError.self) { try connections.open(self.list(server, target, count: 1)) }
    }

    @Test func findsClosedConnections() throws {
        var server: BenchServer? = try BenchServer()
        let connections = IdleConnections(server!.url())
        try connections.open(self.list(server!, "/now", count: 5))
        server = nil
        #expect(waitUntil { connections.countIdle() == 0 })
    }

    /// What answers lines answers nothing else.
    @Test(arguments: ["/busy", "/now"]) func refusesAnAnswerWithoutLines(path: String) throws {
        let server = try BenchServer()
        let upload = LineUpload(
            url: server.url(), path: path, body: Array("{}\n".utf8), token: nil, processes: [],
            timeoutNanoseconds: 10_000_000_000)
        let error = #expect(throws: CommandError.self) { try upload.run() }
        #expect(error?.description.contains("answered HTTP/1.1 \(path == "/busy" ? 503 : 204)") == true)
    }
}
