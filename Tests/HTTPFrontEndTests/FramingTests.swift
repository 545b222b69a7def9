import TestSupport
import Testing

@testable import HTTPFrontEnd

/// Over real sockets: what the parser refuses is answered and ends the connection; nothing behind it is ever a request.
@Suite(.blocking)
struct FramingTests {
    private static let refused: [(request: String, reason: HTTPRejection)] = [
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\n\r\n", .host),
        ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", .version),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n", .framing),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n", .framing),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", .transferCoding),
    ]

    /// The status of the reason, its name for the metric, and silence for a smuggled request.
    @Test(arguments: refused.indices)
    func refusesAndCloses(index: Int) async throws {
        let (request, reason) = Self.refused[index]
        let server = try TestServer()
        let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
        let text = try await onThread { try server.exchange(request + "0\r\n\r\n" + smuggled) }
        #expect(text == Wire.refusal(reason))
        #expect(server.seen.targets.isEmpty)
        #expect(server.rejections(reason) == 1)
    }

    /// A bad chunk after a good head: 400 in place of the answer.
    @Test func refusesBadChunks() async throws {
        let server = try TestServer()
        let head = "POST /now HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let text = try await onThread { try server.exchange(head + "5\r\nhelloX\r\n0\r\n\r\n") }
        #expect(text == Wire.refusal(.chunk))
    }

    /// A body is read to exactly its end: the next request begins there.
    @Test(arguments: ["/now", "/later", "/endpoint"])
    func findsTheNextRequestBehindABody(path: String) async throws {
        let server = try TestServer { _, body, writer in
            _ = try? await body.collect(bytesMax: 100)
            await writer.respond(TestHandler.hello)
        }
        let first = path == "/now" ? Wire.now : Wire.hello
        let bodies = [
            "Content-Length: 23\r\n\r\nGET /x HTTP/1.1\r\n\r\n1234",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n", "Content-Length: 0\r\n\r\n",
        ]
        for body in bodies {
            let text = try await onThread {
                try server.exchange(
                    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(body)GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
            }
            #expect(text == first + Wire.nowClose)
        }
        #expect(!server.seen.targets.contains("/x"))
    }

    /// Valid answers given before the bad request still go out, in order.
    @Test func answersWhatCameBefore() async throws {
        let server = try TestServer()
        let text = try await onThread { try server.exchange("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /\r\n\r\n") }
        #expect(text == Wire.now + Wire.refusal(.malformed))
    }
}
