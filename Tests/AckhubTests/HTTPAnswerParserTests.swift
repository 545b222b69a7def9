import TestSupport
import Testing

@testable import ackhub

@Suite(.blocking)
struct HTTPAnswerParserTests {
    private static let wholes: [(text: String, isHead: Bool, status: Int, body: String, keepsAlive: Bool)] = [
        ("HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n\r\n", false, 204, "", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, 200, "abc", true),
        ("HTTP/1.1 200 OK\r\ncontent-length: 43\r\n\r\n", true, 200, "", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false, 200, "", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", false, 200, "x", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: Keep-Alive\r\n\r\nx", false, 200, "x", true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", false,
            200,
            "abc0123456789", true
        ),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", false, 204, "", true),
    ]

    /// Every framing gives the same answer, whole or byte by byte, and nothing before the last byte.
    @Test(arguments: 0..<wholes.count)
    func readsAnAnswerHoweverItComes(index: Int) throws {
        let whole = Self.wholes[index]
        let bytes = Array(whole.text.utf8)
        var parser = HTTPAnswerParser()
        for byte in bytes.dropLast() {
            parser.append([byte])
            #expect(try parser.next(isHead: whole.isHead) == nil)
        }
        parser.append([bytes.last!])
        let answer = try #require(try parser.next(isHead: whole.isHead))
        #expect(answer.status == whole.status)
        #expect(answer.body == Array(whole.body.utf8))
        #expect(answer.keepsAlive == whole.keepsAlive)
        #expect(!parser.isInside)
    }

    /// A body without a length ends with the connection.
    @Test func readsABodyUntilTheEnd() throws {
        var parser = HTTPAnswerParser()
        parser.append("HTTP/1.1 200 OK\r\n\r\nabc".utf8)
        #expect(try parser.next(isHead: false) == nil)
        let answer = try #require(try parser.next(isHead: false, isEnd: true))
        #expect(answer.body == Array("abc".utf8))
        #expect(!answer.keepsAlive)
    }

    /// Two answers in one piece are two answers.
    @Test func readsPipelinedAnswers() throws {
        var parser = HTTPAnswerParser()
        parser.append("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx".utf8)
        #expect(try parser.next(isHead: false)?.status == 204)
        #expect(parser.isInside)
        #expect(try parser.next(isHead: false)?.status == 404)
        #expect(try parser.next(isHead: false) == nil)
    }

    /// Broken framing is an error, not an answer.
    @Test(arguments: [
        "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
    ])
    func refusesBrokenFraming(text: String) {
        var parser = HTTPAnswerParser()
        parser.append(text.utf8)
        #expect(throws: HTTPAnswerFault.self) { try parser.next(isHead: false) }
    }
}
