import Testing

@testable import ackhub_bench

@Suite
struct AnswerScannerTests {
    struct Whole: Sendable {
        var text: String
        var status: Int
        var keepsAlive = true
    }

    private static let wholes = [
        Whole(text: "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n\r\n", status: 204),
        Whole(text: "HTTP/1.1 204\r\n\r\n", status: 204),
        Whole(text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", status: 200),
        Whole(text: "HTTP/1.1 200 OK\nCONTENT-LENGTH:3\n\nabc", status: 200),
        Whole(text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", status: 304),
        Whole(
            text: "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status: 503, keepsAlive: false),
        Whole(text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", status: 200, keepsAlive: false),
        Whole(text: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx", status: 200),
        Whole(
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
            status: 200),
        Whole(
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\nTrailer: x\r\n\r\n", status: 200
        ),
        Whole(text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", status: 204),
    ]

    /// What the scanner says of pieces that come one after another, without the `.partial`s.
    private func scan(_ pieces: [ArraySlice<UInt8>], into scanner: inout AnswerScanner) -> [AnswerScanner.Progress] {
        var found: [AnswerScanner.Progress] = []
        for piece in pieces {
            var offset = 0
            let bytes = Array(piece)
            while true {
                let progress = bytes.withUnsafeBytes { scanner.next($0, &offset) }
                if progress == .partial {
                    #expect(offset == bytes.count)
                    break
                }
                found.append(progress)
                if progress == .malformed { return found }
            }
        }
        return found
    }

    /// Two answers behind one another are found, wherever the bytes are split.
    @Test(arguments: 0..<wholes.count) func readsAnswersSplitAtEveryByte(index: Int) {
        let whole = Self.wholes[index]
        let bytes = Array((whole.text + whole.text).utf8)
        let answer = AnswerScanner.Progress.answer(status: whole.status, keepsAlive: whole.keepsAlive)
        for split in 0...bytes.count {
            var scanner = AnswerScanner()
            #expect(self.scan([bytes[..<split], bytes[split...]], into: &scanner) == [answer, answer])
            #expect(!scanner.isInside)
        }
        var scanner = AnswerScanner()
        #expect(self.scan(bytes.indices.map { bytes[$0...$0] }, into: &scanner) == [answer, answer])
    }

    /// No proper beginning of an answer is one, and the scanner knows that it is inside.
    @Test(arguments: 0..<wholes.count) func doesNotAnswerEarly(index: Int) {
        let bytes = Array(Self.wholes[index].text.utf8)
        for count in 1..<bytes.count {
            var scanner = AnswerScanner()
            #expect(self.scan([bytes[..<count]], into: &scanner) == [])
            // After an interim answer nothing has begun.
            if String(decoding: bytes[..<count], as: UTF8.self) != "HTTP/1.1 100 Continue\r\n\r\n" {
                #expect(scanner.isInside)
                #expect(scanner.end() == .malformed)
            }
        }
    }

    /// A body without a length ends with the connection, which then can't be used again.
    @Test func readsABodyUntilTheEnd() {
        var scanner = AnswerScanner()
        let bytes = Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8)
        #expect(self.scan([bytes[...]], into: &scanner) == [])
        #expect(scanner.end() == .answer(status: 200, keepsAlive: false))
        #expect(scanner.end() == .partial)
    }

    /// What is no HTTP/1 answer is refused.
    @Test(arguments: [
        "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 x\r\n\r\n",
        "HTTP/1.1 600 x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "http/1.1 200 OK\r\n\r\n", "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1099511627777\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    ]) func refusesWhatIsNoAnswer(text: String) {
        var scanner = AnswerScanner()
        #expect(self.scan([Array(text.utf8)[...]], into: &scanner) == [.malformed])
    }

    /// A line or a head without an end does not gather in memory.
    @Test(arguments: [
        ("", "x", AnswerScanner.lineBytesMax + 1),
        ("HTTP/1.1 200 OK\r\n", "a: b\r\n", AnswerScanner.headBytesMax / 4 + 1),
    ]) func boundsAHead(start: String, endless: String, count: Int) {
        let text = start + String(repeating: endless, count: count)
        let bytes = Array(text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: 1_000).map { bytes[$0..<min($0 + 1_000, bytes.count)] }
        var scanner = AnswerScanner()
        #expect(self.scan(pieces, into: &scanner) == [.malformed])
    }
}
