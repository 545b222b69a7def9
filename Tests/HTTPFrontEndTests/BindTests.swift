import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct BindTests {
    private final class Silent: HTTPLoopHandler {
        func receive(_ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID)
            -> HTTPReply
        { .now(TestHandler.hello) }
        func turnEnded(_ loop: HTTPLoop) {}
        func woken(_ loop: HTTPLoop) {}
    }

    private static func server(_ addresses: [SocketAddress], loops: Int = 1) throws(HTTPServerError) -> HTTPServer {
        var configuration = HTTPServerConfiguration(listen: addresses)
        configuration.loopCount = loops
        return try HTTPServer(configuration, log: { _ in }) { _ in Silent() }
    }

    /// Two servers never share an address, though each shares its own among its loops; the error names it.
    @Test func takenAddressIsRefusedByName() throws {
        let free = try #require(SocketAddress(text: "127.0.0.1:0"))
        let first = try Self.server([free], loops: 3)
        let taken = first.addresses[0]
        #expect(taken.port != 0)
        let error = #expect(throws: HTTPServerError.self) { try Self.server([free, taken], loops: 2) }
        #expect(error?.code == .bind)
        #expect(error?.detail.contains(taken.description) == true)
    }

    /// Every loop serves, on every address, v4 and v6 on one port.
    @Test func listensOnSeveralAddresses() async throws {
        let every = try #require(SocketAddress(text: ":0"))
        let local = try #require(SocketAddress(text: "127.0.0.1:0"))
        let server = try Self.server([every, local], loops: 2)
        server.start()
        defer { server.stop(withinSeconds: 0) }
        let v4 = SocketAddress(v4: 0x7f00_0001, port: server.addresses[0].port)
        for address in [v4, SocketAddress(v6: 1, port: server.addresses[0].port), server.addresses[1]] {
            try await onThread {
                let client = try TestClient(address)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveHead() == Wire.helloHead)
            }
        }
    }

    /// The address is free again once the server is gone, started or not.
    @Test func addressIsFreeAfterwards() throws {
        let free = try #require(SocketAddress(text: "127.0.0.1:0"))
        let address: SocketAddress
        do {
            let server = try Self.server([free])
            address = server.addresses[0]
        }
        let second = try Self.server([address])
        second.start()
        second.stop(withinSeconds: 1)
        _ = try Self.server([address])
    }

    /// TLS with one file of two is refused.
    @Test func halfATLSConfigurationIsRefused() throws {
        var configuration = HTTPServerConfiguration(listen: [])
        configuration.tlsKeyFile = "/nowhere"
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(configuration, log: { _ in }) { _ in Silent() }
        }
        #expect(error?.code == .configuration)
    }
}
