import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct RequestHeadTests {
    private struct Accepted: Sendable {
        var text: String
        var method = HTTPMethod.get
        var target = "/"
        var minor = 1
        var framing = HTTPBodyFraming.none
        var keepAlive = true
        var expects = false
    }

    private static let accepted: [Accepted] = [
        Accepted(text: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Accepted(text: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Accepted(text: "GET /ack/x?y=%20&z HTTP/1.1\r\nHost: a.example:80\r\n\r\n", target: "/ack/x?y=%20&z"),
        Accepted(text: "GET /é HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", target: "/é"),
        Accepted(text: "HEAD / HTTP/1.1\r\nhost:a\r\n\r\n", method: .head),
        Accepted(text: "get / HTTP/1.1\r\nHost: a\r\n\r\n", method: .other),
        Accepted(text: "PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n", method: .other),
        Accepted(text: "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", method: .delete),
        Accepted(text: "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n", method: .patch),
        Accepted(text: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", method: .options, target: "*"),
        Accepted(text: "GET http://a.example:8080/p?q HTTP/1.1\r\nHost: b\r\n\r\n", target: "/p?q"),
        Accepted(text: "GET HTTPS://a.example HTTP/1.1\r\nHost: b\r\n\r\n", target: "/"),
        Accepted(text: "GET / HTTP/1.0\r\n\r\n", minor: 0, keepAlive: false),
        Accepted(text: "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", minor: 0),
        Accepted(text: "GET / HTTP/1.9\r\nHost: a\r\n\r\n"),
        Accepted(text: "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close ,y\r\n\r\n", keepAlive: false),
        Accepted(text: "GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n"),
        Accepted(
            text: "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", keepAlive: false),
        Accepted(text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", method: .post),
        Accepted(
            text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0012 \r\n\r\n", method: .post, framing: .length(12)),
        Accepted(
            text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", method: .post, framing: .chunked),
        Accepted(
            text: "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n", method: .put,
            framing: .length(1), expects: true),
        Accepted(
            text: "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", method: .put, minor: 0,
            framing: .length(1), keepAlive: false),
    ]

    /// A well-formed head is read the same whole, byte by byte, and split at any place.
    @Test(arguments: accepted.indices)
    func readsEveryWellFormedHeadInAnySplit(index: Int) {
        let expected = Self.accepted[index]
        let bytes = Array((expected.text + "GET /next").utf8)
        let outcome = ParseProbe.run(bytes, arrivals: [bytes.count])
        guard case .head(let head) = outcome else {
            Issue.record("\(outcome) for \(expected.text)")
            return
        }
        #expect(head.method == expected.method)
        #expect(head.target == expected.target)
        #expect(head.minorVersion == expected.minor)
        #expect(head.framing == expected.framing)
        #expect(head.keepAlive == expected.keepAlive)
        #expect(head.expectsContinue == expected.expects)
        #expect(head.bytes == expected.text.utf8.count)
        for split in ParseProbe.splits(bytes) { #expect(split == outcome) }
    }

    /// Values are trimmed, names keep their case, order stays, obs-text and tabs inside a value are allowed.
    @Test func keepsFieldsInOrderAndTrimsValues() {
        let text = "GET / HTTP/1.1\r\nHost:\t a \t\r\nX-Empty:\r\nx-Tab: a\tb  c \r\nX-Obs: é\r\nX-Blank:   \r\n\r\n"
        guard case .head(let head) = ParseProbe.whole(text) else {
            Issue.record("refused")
            return
        }
        #expect(head.fields == ["Host=a", "X-Empty=", "x-Tab=a\tb  c", "X-Obs=é", "X-Blank="])
    }

    /// The first field of a name is found in any case, an absent one is nil.
    @Test func findsFieldsByLowerCaseName() throws {
        let bytes = Array("\r\nGET /x HTTP/1.1\r\nHOST: a\r\nX-A: 1\r\nx-a: 2\r\n\r\n".utf8)
        let head = try HTTPRequestHead(parsing: bytes.span.bytes)
        let first = head.header("x-a", in: bytes.span.bytes)
        #expect(first.map { String(decoding: bytes[$0], as: UTF8.self) } == "1")
        #expect(String(decoding: bytes[head.target], as: UTF8.self) == "/x")
        let absent = [head.header("x-b", in: bytes.span.bytes), head.header("x", in: bytes.span.bytes)]
        #expect(absent == [nil, nil])
    }

    /// Every cut of a head is incomplete, not refused and not accepted.
    @Test func everyTruncationIsIncomplete() {
        let bytes = Array("GET /ack/token HTTP/1.1\r\nHost: a.example\r\nUser-Agent: phone\r\n\r\n".utf8)
        for count in 0..<bytes.count {
            #expect(ParseProbe.run(Array(bytes[..<count]), arrivals: [count]) == .incomplete)
        }
    }
}
