import Synchronization
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct StreamingTests {
    private static let stream: HTTPEndpoint = { _, _, writer in
        await writer.start(status: 200, headers: [(name: "Content-Type", value: "text/csv")])
        try? await writer.write(Array("one".utf8))
        try? await writer.write([])
        try? await writer.write(Array("twenty-six characters long".utf8))
        await writer.finish()
    }

    /// 1.1: chunks, and the connection stays.
    @Test func chunkedIn11() async throws {
        let server = try TestServer(endpoint: Self.stream)
        let text = try await onThread {
            try server.exchange(
                "GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\nDate: DATE\r\n\r\n"
        #expect(text == head + "3\r\none\r\n1a\r\ntwenty-six characters long\r\n0\r\n\r\n" + Wire.nowClose)
    }

    /// 1.0: as it is, until the end.
    @Test func untilCloseIn10() async throws {
        let server = try TestServer(endpoint: Self.stream)
        let text = try await onThread {
            try server.exchange("GET /endpoint HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nDate: DATE\r\nConnection: close\r\n\r\n"
        #expect(text == head + "onetwenty-six characters long")
    }

    /// HEAD: the head alone.
    @Test func headOfAStream() async throws {
        let server = try TestServer(endpoint: Self.stream)
        let text = try await onThread {
            try server.exchange("HEAD /endpoint HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        #expect(text.hasSuffix("\r\nTransfer-Encoding: chunked\r\nDate: DATE\r\nConnection: close\r\n\r\n"))
    }

    /// Lines go both ways in turn on one exchange: a line in, a line out.
    @Test func linesInAndOut() async throws {
        let server = try TestServer { _, body, writer in
            await writer.start(status: 200, headers: [])
            while let piece = try? await body.next() { try? await writer.write(piece) }
            await writer.finish()
        }
        try await onThread {
            let client = try server.connect()
            try client.send("POST /endpoint HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            _ = try client.receiveHead()
            for index in 0..<20 {
                try client.send("7\r\nline \(index % 10)\n\r\n")
                #expect(try client.receive(through: "\n\r\n") == "7\r\nline \(index % 10)\n\r\n")
            }
            try client.send("0\r\n\r\n")
            #expect(try client.receive(through: "0\r\n\r\n") == "0\r\n\r\n")
        }
    }

    /// Megabytes both ways arrive whole.
    @Test func echoesMegabytes() async throws {
        let server = try TestServer { _, body, writer in
            await writer.start(status: 200, headers: [])
            while let piece = try? await body.next() { try? await writer.write(piece) }
            await writer.finish()
        }
        let size = 3 << 20
        try await onThread {
            let client = try server.connect()
            var generator = SeededRandom(seed: 7)
            let bytes = (0..<size / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
            let sender = try Sender(
                client, Array("POST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n".utf8) + bytes)
            _ = try client.receiveHead()
            var echoed: [UInt8] = []
            while echoed.count < size {
                let line = try client.receive(through: "\r\n")
                echoed += try client.receive(try #require(Int(line.dropLast().description, radix: 16)))
                _ = try client.receive(2)
            }
            #expect(echoed == bytes)
            #expect(try client.receive(through: "0\r\n\r\n") == "0\r\n\r\n")
            sender.join()
        }
    }

    /// A client that does not read holds the writer up: what waits in the server stays bounded.
    @Test func slowReaderHoldsTheWriterUp() async throws {
        var limits = HTTPLimits()
        limits.mailboxBytesMax = 64 << 10
        let written = Mutex(0)
        let server = try TestServer(limits: limits) { _, _, writer in
            await writer.start(status: 200, headers: [])
            for _ in 0..<4_000 {
                do { try await writer.write([UInt8](repeating: 0x61, count: 10_000)) } catch { return }
                written.withLock { $0 += 10_000 }
            }
            await writer.finish()
        }
        try await onThread {
            let client = try TestClient(server.address, receiveBufferBytes: 16 << 10)
            try client.send("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n")
            // It has come to rest when it does not move while another connection is served a hundred times.
            var before = -1
            #expect(
                eventually {
                    let now = written.withLock { $0 }
                    defer { before = now }
                    for _ in 0..<100 { _ = try? server.exchange("GET /now HTTP/1.0\r\n\r\n") }
                    return now > 0 && now == before
                })
            // The kernel's buffers take up to some megabytes; 40 MB would be all of it.
            #expect(written.withLock { $0 } < 20_000_000)
            client.reset()
        }
    }

    /// An endpoint that does not read holds the sender up: no more than the mailbox is read ahead.
    @Test func slowEndpointHoldsTheSenderUp() async throws {
        var limits = HTTPLimits()
        limits.mailboxBytesMax = 64 << 10
        let gate = Gate()
        let server = try TestServer(limits: limits) { _, body, writer in
            await gate.wait()
            var count = 0
            while let piece = try? await body.next() { count += piece.count }
            await writer.respond(HTTPResponse(status: 200, body: Array("\(count)".utf8)))
        }
        let size = 20_000_000
        try await onThread {
            let client = try server.connect()
            let sender = try Sender(
                client,
                Array("POST /endpoint HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n".utf8)
                    + [UInt8](repeating: 0x61, count: size))
            var before: UInt64 = 0
            #expect(
                eventually {
                    let now = server.server.metrics.bytesReceived
                    defer { before = now }
                    for _ in 0..<100 { _ = try? server.exchange("GET /now HTTP/1.0\r\n\r\n") }
                    return now > 60_000 && now - before < 10_000
                })
            #expect(server.server.metrics.bytesReceived < 2_000_000)
            gate.open()
            #expect(try client.receiveToEnd().hasSuffix("\r\n\r\n\(size)"))
            sender.join()
        }
    }

    /// A stream that breaks off must not look whole: no last chunk, and the end of the connection.
    @Test func brokenStreamDoesNotLookWhole() async throws {
        let server = try TestServer { _, _, writer in
            await writer.start(status: 200, headers: [])
            try? await writer.write(Array("part".utf8))
        }
        let text = try await onThread { try server.exchange("GET /endpoint HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(text.hasSuffix("\r\n\r\n4\r\npart\r\n"))
    }
}
