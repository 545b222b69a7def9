import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct ExpectTests {
    private static let wait = "HTTP/1.1 100 Continue\r\n\r\n"

    private static func head(_ path: String, _ more: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\(more)\r\n"
    }

    /// An endpoint's first read sends 100; then the body comes, then the answer.
    @Test func continuesAtTheFirstRead() async throws {
        let server = try TestServer { _, body, writer in
            let bytes = (try? await body.collect(bytesMax: 100)) ?? []
            await writer.respond(HTTPResponse(status: 200, body: bytes))
        }
        try await onThread {
            let client = try server.connect()
            try client.send(Self.head("/endpoint"))
            #expect(try client.receiveHead() == Self.wait)
            #expect(client.isSilent)
            try client.send("12345")
            #expect(try client.receive(through: "12345").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    /// An endpoint that never reads never asks: its answer comes instead of 100, and ends the connection.
    @Test func answersInsteadOfContinuing() async throws {
        let server = try TestServer { _, _, writer in await writer.respond(TestHandler.hello) }
        #expect(try await onThread { try server.exchange(Self.head("/endpoint")) } == Wire.helloClose)
        #expect(try await onThread { try server.exchange(Self.head("/hello")) } == Wire.helloClose)
    }

    /// An exchange that waits has its body read and dropped, so 100 is sent at once.
    @Test func waitingExchangeContinuesAtOnce() async throws {
        let server = try TestServer()
        try await onThread {
            let client = try server.connect()
            try client.send(Self.head("/later"))
            #expect(try client.receiveHead() == Self.wait)
            try client.send("12345")
            #expect(try client.receiveHead() == Wire.helloHead)
        }
    }

    /// A streamed answer that begins before the body is read lets the body come.
    @Test func streamThatBeginsFirst() async throws {
        let server = try TestServer { _, body, writer in
            await writer.start(status: 200, headers: [])
            while let piece = try? await body.next() { try? await writer.write(piece) }
            await writer.finish()
        }
        try await onThread {
            let client = try server.connect()
            try client.send(Self.head("/endpoint"))
            #expect(try client.receiveHead() == Self.wait)
            try client.send("12345")
            #expect(try client.receive(through: "0\r\n\r\n").hasSuffix("\r\n\r\n5\r\n12345\r\n0\r\n\r\n"))
        }
    }

    /// Another expectation is 417.
    @Test func otherExpectationsAreRefused() async throws {
        let server = try TestServer()
        let request = "POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: magic\r\n\r\n"
        #expect(try await onThread { try server.exchange(request) } == Wire.refusal(.expectation))
    }

    /// Without a body nobody waits, and a 1.0 client can't.
    @Test func nobodyWaitsWithoutABody() async throws {
        let server = try TestServer()
        let request = "GET /later HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        #expect(try await onThread { try server.exchange(request) } == Wire.helloClose)
        let old = "POST /later HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx"
        #expect(try await onThread { try server.exchange(old) } == Wire.helloClose)
    }
}
