import COpenSSL
import Glibc
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct TLSTests {
    private static func server(_ certificate: TestCertificate, limits: HTTPLimits = HTTPLimits()) throws -> TestServer {
        try TestServer(limits: limits, certificate: (certificate.file, certificate.key)) { _, body, writer in
            await writer.start(status: 200, headers: [])
            while let piece = try? await body.next() { try? await writer.write(piece) }
            await writer.finish()
        }
    }

    /// Keep-alive, pipelining, waiting exchanges and the end with close_notify, as without TLS.
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func serves(version: Int32) async throws {
        let server = try Self.server(TestCertificate("one"))
        try await onThread {
            let client = try TestTLSClient(server.address, protocols: ["h2", "http/1.1"], maxVersion: version)
            #expect(client.chosenProtocol == "http/1.1")
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            try client.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try client.receive() == Wire.hello + Wire.now + Wire.helloClose)
        }
        #expect(server.server.metrics.tlsHandshakeFailures == 0)
    }

    /// A megabyte both ways: records and chunks find each other.
    @Test func echoesAMegabyte() async throws {
        let server = try Self.server(TestCertificate("one"))
        try await onThread {
            let client = try TestTLSClient(server.address)
            let text = String(repeating: "0123456789abcdef", count: 1 << 12)
            try client.send(
                "POST /endpoint HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(text.utf8.count)\r\n\r\n")
            try client.send(text)
            let answer = try client.receive()
            let digits = answer.utf8.filter { $0 == UInt8(ascii: "f") }.count
            #expect(digits >= 1 << 12)
            #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    /// TLS 1.1 is refused, and so is plain HTTP; both are metered.
    @Test func refusesOldVersionsAndPlainText() async throws {
        let server = try Self.server(TestCertificate("one"))
        try await onThread {
            #expect(throws: TestClient.Failure.self) { try TestTLSClient(server.address, maxVersion: TLS1_1_VERSION) }
            let client = try server.connect()
            try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try? client.receiveToEnd()
        }
        #expect(eventually { server.server.metrics.connectionsOpen == 0 })
        #expect(server.server.metrics.tlsHandshakeFailures >= 1)
        #expect(server.seen.targets.isEmpty)
    }

    /// A handshake that does not come is cut at its deadline.
    @Test func silentHandshakeIsCut() async throws {
        var limits = HTTPLimits()
        limits.handshakeTimeoutMilliseconds = 200
        let server = try Self.server(TestCertificate("one"), limits: limits)
        #expect(try await onThread { try server.exchange("") } == "")
        #expect(server.rejections(.handshakeTimeout) == 1)
    }

    /// A new certificate serves new connections, old ones go on; a bad one changes nothing and is named.
    @Test func reloadsTheCertificate() async throws {
        let first = TestCertificate("one")
        let second = TestCertificate("two")
        let server = try Self.server(first)
        try await onThread {
            let old = try TestTLSClient(server.address)
            #expect(old.peerName == "/CN=one")
            rename(second.file, first.file)
            let error = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
            #expect(error?.code == .tls)
            #expect(error?.detail.contains(first.key) == true)
            #expect(try TestTLSClient(server.address).peerName == "/CN=one")
            rename(second.key, first.key)
            try server.server.reloadTLS()
            #expect(try TestTLSClient(server.address).peerName == "/CN=two")
            try old.send("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try old.receive() == Wire.nowClose)
        }
    }

    /// A missing certificate is an error at start that names the file.
    @Test func missingCertificateIsNamed() {
        let error = #expect(throws: HTTPServerError.self) {
            var configuration = HTTPServerConfiguration(listen: [])
            configuration.tlsCertificateFile = "/nowhere/a.crt"
            configuration.tlsKeyFile = "/nowhere/a.key"
            _ = try HTTPServer(configuration, log: { _ in }) { loop in
                TestHandler(loop, seen: SeenRequests(), endpoint: nil)
            }
        }
        #expect(error?.code == .tls)
        #expect(error?.detail.contains("/nowhere/a.crt") == true)
    }
}
