import TestSupport
import Testing

@testable import ackhub

@Suite(.blocking)
struct HubAddressTests {
    /// Host, port and path of what can be spoken to.
    @Test(arguments: [
        ("http://hub.example", "hub.example", 80, ""),
        ("http://127.0.0.1:8080", "127.0.0.1", 8080, ""),
        ("http://127.0.0.1:8080/", "127.0.0.1", 8080, ""),
        ("http://[::1]:9/track/", "::1", 9, "/track"),
        ("http://[::1]", "::1", 80, ""),
    ])
    func readsURLs(url: String, host: String, port: UInt16, prefix: String) {
        let address = HubAddress(url: url)
        #expect(address?.host == host)
        #expect(address?.port == port)
        #expect(address?.prefix == prefix)
    }

    /// All else is refused.
    @Test(arguments: [
        "", "https://hub.example", "hub.example:80", "http://", "http://:80", "http://h:0", "http://h:65536",
        "http://h:x", "http://u@h", "http://h/a?b", "http://h/a b", "http://[::1", "ftp://h",
    ])
    func refusesURLs(url: String) {
        #expect(HubAddress(url: url) == nil)
    }

    /// The part of a link that a device asks for.
    @Test(arguments: [
        ("https://h/ack/x", "/ack/x"), ("http://h:1/a/open/x?y#z", "/a/open/x?y#z"), ("/ack/x", "/ack/x"),
        ("https://h", "/"), ("https://h?/ab", "?/ab"),
    ])
    func cutsPaths(url: String, path: String) {
        #expect(HubAddress.path(of: url) == path)
    }
}
