import Synchronization
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct EndpointTests {
    /// The request is copied as it came: method, path, query, fields in lower case, peer.
    @Test func seesTheRequest() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let server = try TestServer { request, _, writer in
            seen.withLock { $0 = request }
            await writer.respond(TestHandler.hello)
        }
        _ = try await onThread {
            try server.exchange(
                "PURGE /endpoint/a%20b?x=1?y HTTP/1.1\r\nHost: a\r\n"
                    + "X-One:  v\u{0}w\u{7f} \r\nConnection: close\r\n\r\n")
        }
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == .other)
        #expect(request.methodName == "PURGE")
        #expect(request.path == "/endpoint/a%20b")
        #expect(request.query == "x=1?y")
        #expect(request.header("x-one") == "v w ")
        #expect(request.header("x-two") == nil)
        #expect(request.headers.map(\.name) == ["host", "x-one", "connection"])
        #expect(request.peer.hostDescription == "127.0.0.1")
    }

    /// One that returns without an answer is 500, and the connection goes on.
    @Test func withoutAnAnswerIs500() async throws {
        let server = try TestServer { _, _, _ in }
        let text = try await onThread {
            try server.exchange(
                "GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        #expect(text == "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nDate: DATE\r\n\r\n" + Wire.nowClose)
    }

    /// A client that goes away cancels the task, and its reads and writes end.
    @Test func goneClientCancelsTheTask() async throws {
        let outcome = Mutex<String>("")
        let server = try TestServer { _, body, writer in
            do throws(HTTPBodyError) {
                while try await body.next() != nil {}
            } catch {
                outcome.withLock { $0 = "\(error), cancelled \(Task.isCancelled)" }
            }
            await writer.respond(TestHandler.hello)
        }
        try await onThread {
            let client = try server.connect()
            try client.send("POST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            #expect(eventually { server.seen.targets.count == 1 })
            client.reset()
            #expect(eventually { !outcome.withLock { $0.isEmpty } })
        }
        #expect(outcome.withLock { $0 }.hasPrefix("disconnected"))
        #expect(server.server.metrics.responses.isEmpty)
    }

    /// A writer finds out that its client is gone.
    @Test func writerFindsTheClientGone() async throws {
        let outcome = Mutex<HTTPBodyError?>(nil)
        let server = try TestServer { _, _, writer in
            await writer.start(status: 200, headers: [])
            do throws(HTTPBodyError) {
                while true { try await writer.write([UInt8](repeating: 0x61, count: 10_000)) }
            } catch {
                outcome.withLock { $0 = error }
            }
        }
        try await onThread {
            let client = try server.connect()
            try client.send("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receiveHead()
            client.reset()
            #expect(eventually { outcome.withLock { $0 } == .disconnected })
        }
    }

    /// A malformed body reaches the endpoint as an error; without an answer of its own it is 400.
    @Test func malformedBodyIs400() async throws {
        let server = try TestServer { _, body, _ in _ = try? await body.collect(bytesMax: 100) }
        let text = try await onThread {
            try server.exchange("POST /endpoint HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        }
        #expect(text == Wire.refusal(.chunk))
    }

    /// Many endpoints at once, each on its connection, on two loops.
    @Test func manyAtOnce() async throws {
        let server = try TestServer(loops: 2) { request, body, writer in
            let bytes = (try? await body.collect(bytesMax: 1_000)) ?? []
            await writer.respond(HTTPResponse(status: 200, body: bytes))
        }
        try await onThread {
            let clients = try (0..<40).map { _ in try server.connect() }
            for round in 0..<10 {
                for (index, client) in clients.enumerated() {
                    try client.send(
                        "POST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n\(100_000 + round * 100 + index)"
                    )
                }
                for (index, client) in clients.enumerated() {
                    let head = try client.receiveHead()
                    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n"))
                    #expect(try client.receive(6) == Array("\(100_000 + round * 100 + index)".utf8))
                }
            }
        }
        #expect(server.server.metrics.responses == [200: 400])
    }
}
