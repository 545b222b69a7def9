import CommandLineOptions
import Testing

@testable import ackhub_bench

/// Counting the lines of an answer, and finding where it begins.
@Suite
struct AnswerLinesTests {
    private static let refusal = #"{"error":{"code":"x"}}"#

    @Test(
        arguments: [
            ("", 0, 0, true), ("{}\n", 1, 0, true), ("{}", 0, 0, false), ("\n", 1, 0, true),
            ("\(refusal)\n", 0, 1, true),
            (#"{"error"#, 0, 0, false), ("{\"errors\":1}\n{\"error\"", 1, 0, false),
            ("{\"uid\":1}\n\(refusal)\n{\"uid\":\"\(refusal)\"}\n", 2, 1, true),
        ] as [(String, Int, Int, Bool)])
    func countsLines(text: String, answered: Int, refused: Int, isWhole: Bool) {
        let bytes = Array(text.utf8)
        // However the bytes come.
        for cut in 0...bytes.count {
            var lines = AnswerLines()
            lines.take(bytes[..<cut])
            lines.take(bytes[cut...])
            #expect(lines.answered == answered && lines.refused == refused && lines.isWhole == isWhole, "cut at \(cut)")
        }
    }

    @Test func findsTheBody() throws {
        let find = { (text: String) in
            try LineUpload.body(behindHeadOf: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try find("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{}\n") == "{}\n")
        #expect(try find("HTTP/1.0 200\r\n\r\n")?.isEmpty == true)
        #expect(try find("HTTP/1.1 200 OK\r\nA: b\r\n\r") == nil)
        #expect(try find("") == nil)
        for text in ["HTTP/1.1 401 Unauthorized\r\n\r\n", "HTTP/1.1 503\r\n\r\n", "SSH-2.0\r\n\r\n"] {
            #expect(throws: CommandError.self) { try find(text) }
        }
        #expect(throws: CommandError.self) { try find(String(repeating: "a", count: 65_537)) }
    }

    /// The last line may lack its end.
    @Test(arguments: [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)])
    func countsTheRequestsLines(body: String, count: Int) {
        let upload = LineUpload(
            url: LoadURL(text: "http://127.0.0.1:1")!, path: "/", body: Array(body.utf8), token: nil, processes: [],
            timeoutNanoseconds: 1)
        #expect(upload.lineCount == count)
    }
}
