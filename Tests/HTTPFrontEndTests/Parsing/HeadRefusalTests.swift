import TestSupport
import Testing

@testable import HTTPFrontEnd

/// What two readers could read in two ways, or no reader should: RFC 9112's rules and the known smuggling forms.
@Suite(.blocking)
struct HeadRefusalTests {
    private static let get = "GET / HTTP/1.1\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"

    private static let refused: [(text: String, reason: HTTPRejection)] = [
        // Request lines.
        ("GET /\r\nHost: a\r\n\r\n", .malformed),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformed),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/11\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/x.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .version),
        ("GET / HTTP/0.9\r\nHost: a\r\n\r\n", .version),
        ("GET ack HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET http://u@a/x HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET http://a?x HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET ftp://a/x HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /abcdefgh\u{0}ijklmnopq HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /a\u{7f}b HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /a\rb HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("\u{16}\u{3}\u{1}\u{2}", .malformed),
        // Line ends.
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", .malformed),
        ("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\n\rX: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\r\n\r\n", .malformed),
        // Fields.
        ("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\t: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX(: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nÉ: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n folded\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tfolded\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\u{0}: b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\u{0}\r\n\r\n", .framing),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\u{0}\r\n\r\n", .transferCoding),
        // Host.
        (get + "Host: a\u{0}\r\n\r\n", .host),
        (get + "\r\n", .host),
        (get + "X: a\r\n\r\n", .host),
        (get + "Host: a\r\nHost: a\r\n\r\n", .host),
        (get + "Host: a\r\nhost: b\r\n\r\n", .host),
        (get + "Host:\r\n\r\n", .host),
        (get + "Host: a b\r\n\r\n", .host),
        (get + "Host: a/b\r\n\r\n", .host),
        (get + "Host: u@a\r\n\r\n", .host),
        (get + "Host: é\r\n\r\n", .host),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .host),
        // Framing.
        (post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", .framing),
        (post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", .framing),
        (post + "Content-Length: 1, 1\r\n\r\n", .framing),
        (post + "Content-Length: 1,2\r\n\r\n", .framing),
        (post + "Content-Length: +1\r\n\r\n", .framing),
        (post + "Content-Length: -1\r\n\r\n", .framing),
        (post + "Content-Length: 1 2\r\n\r\n", .framing),
        (post + "Content-Length: 0x1\r\n\r\n", .framing),
        (post + "Content-Length: 1.0\r\n\r\n", .framing),
        (post + "Content-Length:\r\n\r\n", .framing),
        (post + "Content-Length: 9999999999999999999\r\n\r\n", .framing),
        (post + "Content-Length: 18446744073709551617\r\n\r\n", .framing),
        (post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .framing),
        (post + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", .framing),
        (post + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", .framing),
        (post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .framing),
        (post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n", .framing),
        (post + "Transfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\n", .framing),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .framing),
        (post + "Transfer-Encoding: identity\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding: chunked, chunked\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding: xchunked\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding: chunked;q=1\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding: \"chunked\"\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding:\r\n\r\n", .transferCoding),
        (post + "Transfer-Encoding : chunked\r\n\r\n", .malformed),
        (post + "Transfer-Encoding: \u{b}chunked\r\n\r\n", .transferCoding),
        (post + "Expect: 200-maybe\r\nContent-Length: 1\r\n\r\n", .expectation),
    ]

    /// Each is refused for its reason, in any split.
    @Test(arguments: refused.indices)
    func refusesInAnySplit(index: Int) {
        let (text, reason) = Self.refused[index]
        let bytes = Array(text.utf8)
        let outcome = ParseProbe.run(bytes, arrivals: [bytes.count])
        #expect(outcome == .rejected(reason), "\(text.debugDescription)")
        for split in ParseProbe.splits(bytes) { #expect(split == .rejected(reason), "\(text.debugDescription)") }
    }

    /// Every control character is refused in a target; a value keeps all but CR and LF, at each place of a word.
    @Test func refusesControlCharactersInTargetsOnly() {
        for byte in Array(UInt8(0)...0x1f) + [0x7f] where byte != 0x0d && byte != 0x0a {
            for place in 0..<17 {
                var filler = [UInt8](repeating: 0x61, count: 17)
                filler[place] = byte
                let target = Array("GET /".utf8) + filler + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
                #expect(ParseProbe.run(target, arrivals: [target.count]) == .rejected(.malformed))
                let value = Array("GET / HTTP/1.1\r\nHost: a\r\nX: b".utf8) + filler + Array("b\r\n\r\n".utf8)
                guard case .head(let head) = ParseProbe.run(value, arrivals: [value.count]) else {
                    Issue.record("\(byte) at \(place) is refused")
                    continue
                }
                #expect(head.fields.last == "X=b\(String(decoding: filler, as: UTF8.self))b")
            }
        }
    }
}
