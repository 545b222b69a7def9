import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct SocketAddressTests {
    /// Each form is read and printed in its canonical form; v4-mapped is v4.
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080", 4), ("0.0.0.0:0", "0.0.0.0:0", 4), ("[::1]:443", "[::1]:443", 16),
        (":8080", "[::]:8080", 16), ("[2001:DB8::1]:65535", "[2001:db8::1]:65535", 16),
        ("[::ffff:1.2.3.4]:80", "1.2.3.4:80", 4),
    ])
    func readsAndPrints(text: String, printed: String, length: Int) throws {
        let address = try #require(SocketAddress(text: text))
        #expect(address.description == printed)
        #expect(address.length == length)
        #expect(SocketAddress(text: printed) == address)
    }

    /// Anything else is refused.
    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:80x",
        "localhost:80", "::1:80", "[::1]", "[::1", "[::g]:80", "1.2.3:80", "[1.2.3.4]:80", "127.0.0.1:000080",
    ])
    func refuses(text: String) { #expect(SocketAddress(text: text) == nil) }

    /// The bytes are in network order, in the low bytes.
    @Test func bytesAreInNetworkOrder() throws {
        #expect(try #require(SocketAddress(text: "1.2.3.4:5")).bytes.value == 0x0102_0304)
        #expect(try #require(SocketAddress(text: "[102::4]:5")).bytes.value == 0x0102 << 112 | 4)
    }
}
