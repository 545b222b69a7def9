import TestSupport
import Testing

@testable import HubServer

/// The trusted-proxy rule (T42): the right-most untrusted hop, and never what a client claims.
@Suite(.blocking)
struct TrustedProxyTests {
    private let chain = ForwardedChain(trusted: ["10.0.0.0/8", "::1", "fd00::/8"].map { CIDR(text: $0)! })

    private func client(peer: String, forwardedFor: [String] = [], forwarded: [String] = []) throws -> IPAddress {
        var text: [UInt8] = []
        var lines: [ForwardedLines] = []
        for values in [forwardedFor, forwarded] {
            var places = ForwardedLines()
            for value in values {
                places.append(text.count..<text.count + value.utf8.count)
                text += value.utf8
            }
            lines.append(places)
        }
        let peer = try #require(IPAddress(text: peer))
        guard self.chain.isTrusted(peer) else { return peer }
        return self.chain.client(proxy: peer, forwardedFor: lines[0], forwarded: lines[1], text.span.bytes)
    }

    /// X-Forwarded-For in every form that proxies write.
    @Test(arguments: [
        ("203.0.113.9", ["8.8.8.8"], "203.0.113.9"),  // an outsider's claim
        ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", [", ,"], "10.0.0.1"),
        ("10.0.0.1", ["8.8.8.8"], "8.8.8.8"),
        ("::ffff:10.0.0.1", ["8.8.8.8"], "8.8.8.8"),
        ("10.0.0.1", ["1.1.1.1, 8.8.8.8"], "8.8.8.8"),
        ("10.0.0.1", ["1.1.1.1,8.8.8.8, 10.0.0.2"], "8.8.8.8"),
        ("10.0.0.1", ["1.1.1.1", "8.8.8.8 ,10.0.0.2"], "8.8.8.8"),
        ("10.0.0.1", ["1.1.1.1", "8.8.8.8", "10.0.0.3", "10.0.0.2"], "8.8.8.8"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),  // all trusted: the furthest
        ("10.0.0.1", ["::ffff:1.2.3.4"], "1.2.3.4"), ("10.0.0.1", ["1.2.3.4:5678"], "1.2.3.4"),
        ("10.0.0.1", ["[2001:db8::1]:443"], "2001:db8::1"), ("10.0.0.1", ["[2001:db8::1]"], "2001:db8::1"),
        ("10.0.0.1", ["2001:db8::1"], "2001:db8::1"), ("10.0.0.1", ["\"[2001:db8::1]:443\""], "2001:db8::1"),
        ("::1", ["8.8.8.8, fd00::7"], "8.8.8.8"),
        // A hop that is no address ends the walk at the last good one.
        ("10.0.0.1", ["8.8.8.8, unknown"], "10.0.0.1"), ("10.0.0.1", ["8.8.8.8, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", ["8.8.8.8, [::1"], "10.0.0.1"), ("10.0.0.1", ["8.8.8.8, 1.2.3.4:x"], "10.0.0.1"),
        ("10.0.0.1", ["8.8.8.8, [1.2.3.4]"], "10.0.0.1"), ("10.0.0.1", ["8.8.8.8, 1.2.3.4:1234567"], "10.0.0.1"),
        ("10.0.0.1", ["8.8.8.8, 1.2.3.4 5.6.7.8"], "10.0.0.1"), ("10.0.0.1", ["8.8.8.8, \"1.2.3.4"], "10.0.0.1"),
    ])
    func readsForwardedFor(peer: String, lines: [String], expected: String) throws {
        #expect(try self.client(peer: peer, forwardedFor: lines) == IPAddress(text: expected))
    }

    /// RFC 7239's field, its parameters in any order and case.
    @Test(arguments: [
        (["for=8.8.8.8"], "8.8.8.8"), (["For=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"),
        (["for=1.1.1.1;proto=http;by=203.0.113.43, for=8.8.8.8"], "8.8.8.8"),
        (["proto=https; FOR=8.8.8.8 ;by=10.0.0.1", "for=10.0.0.2"], "8.8.8.8"),
        (["for=8.8.8.8;by=\"a,b;for=9.9.9.9\""], "8.8.8.8"),
        (["for=8.8.8.8, proto=http"], "10.0.0.1"), (["for=unknown"], "10.0.0.1"), (["for=_gazonk"], "10.0.0.1"),
        (["for=9.9.9.9, for=\"_mdn\", for=10.0.0.2"], "10.0.0.2"), (["for="], "10.0.0.1"), ([";;;"], "10.0.0.1"),
        (["for=\"8.8.8.8"], "10.0.0.1"),
    ])
    func readsForwarded(lines: [String], expected: String) throws {
        #expect(try self.client(peer: "10.0.0.1", forwarded: lines) == IPAddress(text: expected))
    }

    /// A client can't get round X-Forwarded-For by sending a Forwarded of its own.
    @Test func prefersForwardedFor() throws {
        #expect(
            try self.client(peer: "10.0.0.1", forwardedFor: ["8.8.8.8"], forwarded: ["for=9.9.9.9"])
                == IPAddress(text: "8.8.8.8"))
    }

    /// More lines than are kept: the right-most count.
    @Test func readsTheLastOfManyLines() throws {
        let lines = Array(repeating: "1.1.1.1", count: 40) + ["8.8.8.8"] + Array(repeating: "10.0.0.2", count: 7)
        #expect(try self.client(peer: "10.0.0.1", forwardedFor: lines) == IPAddress(text: "8.8.8.8"))
    }
}
