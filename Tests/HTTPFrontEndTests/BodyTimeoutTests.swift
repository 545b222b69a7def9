import Glibc
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct BodyTimeoutTests {
    private static func limits() -> HTTPLimits {
        var limits = HTTPLimits()
        limits.bodyTimeoutMilliseconds = 300
        return limits
    }

    /// A body that stops coming is 408, whether it would be dropped or read by an endpoint that does not answer itself.
    @Test(arguments: ["/now", "/later", "/endpoint"])
    func stalledBodyIsAnswered(path: String) async throws {
        let server = try TestServer(limits: Self.limits()) { _, body, _ in _ = try? await body.collect(bytesMax: 100) }
        let text = try await onThread {
            try server.exchange("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        }
        #expect(text == Wire.refusal(.bodyTimeout))
        #expect(server.rejections(.bodyTimeout) == 1)
    }

    /// An endpoint is told, and may answer itself; then the connection ends.
    @Test func endpointMayAnswer() async throws {
        let server = try TestServer(limits: Self.limits()) { _, body, writer in
            do {
                _ = try await body.collect(bytesMax: 100)
            } catch {
                await writer.respond(HTTPResponse(status: 200, body: Array("\(error)".utf8)))
            }
        }
        let text = try await onThread {
            try server.exchange("POST /endpoint HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        }
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nDate: DATE\r\nConnection: close\r\n\r\ntimeout")
    }

    /// A dripping body is cut though it never rests as long as the limit.
    @Test func drippingBodyIsCut() async throws {
        let server = try TestServer(limits: Self.limits())
        try await onThread {
            let client = try server.connect()
            try client.send("POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            let start = monotonicSeconds()
            while client.isSilent, monotonicSeconds() - start < 8 {
                try client.send("x")
                usleep(20_000)
            }
            #expect(monotonicSeconds() - start < 6)
        }
        #expect(server.rejections(.bodyTimeout) == 1)
    }
}
