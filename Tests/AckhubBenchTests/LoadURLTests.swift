import Testing

@testable import ackhub_bench

@Suite
struct LoadURLTests {
    /// What is read, and whether it is this machine.
    @Test(arguments: [
        ("http://127.0.0.1:8080", "127.0.0.1:8080", false, true), ("http://127.9.9.9:1/", "127.9.9.9:1", false, true),
        ("https://localhost:8443", "localhost:8443", true, true), ("https://localhost", "localhost:443", true, true),
        ("http://[::1]:80", "[::1]:80", false, true), ("http://[::1]", "[::1]:80", false, true),
        ("http://[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", false, true),
        ("http://10.0.0.1", "10.0.0.1:80", false, false), ("http://128.0.0.1:80", "128.0.0.1:80", false, false),
        ("http://0.0.0.0:80", "0.0.0.0:80", false, false), ("https://[2001:db8::1]:1", "[2001:db8::1]:1", true, false),
    ])
    func readsAnAddress(text: String, authority: String, isTLS: Bool, isLoopback: Bool) throws {
        let url = try #require(LoadURL(text: text))
        #expect(url.authority == authority)
        #expect(url.isTLS == isTLS)
        #expect(url.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "127.0.0.1:80", "ftp://127.0.0.1", "http://", "http://:80", "http://hub.example", "http://127.0.0.1:0",
        "http://127.0.0.1:65536", "http://127.0.0.1:x", "http://127.0.0.1/path", "http://127.0.0.1:80/path",
        "http://user@127.0.0.1:80", "http://127.1:80", "http://[::1", "http://::1",
    ])
    func refusesAnythingElse(text: String) { #expect(LoadURL(text: text) == nil) }
}
