import TestSupport
import Testing

@testable import HTTPFrontEnd

/// What a decoder makes of a body, however it was split.
enum ChunkProbe {
    struct Outcome: Equatable {
        var body = ""
        var end: Int?
        var rejection: HTTPRejection?
    }

    static func run(_ bytes: [UInt8], arrivals: [Int], trailerBytesMax: Int = 64) -> Outcome {
        var decoder = ChunkDecoder()
        var outcome = Outcome()
        var body: [UInt8] = []
        var offset = 0
        arriving: for count in arrivals {
            let part = Array(bytes[..<count])
            while true {
                switch decoder.step(part.span.bytes, from: offset, trailerBytesMax: trailerBytesMax) {
                case .data(let range, let consumed):
                    body += part[range]
                    offset = consumed
                case .needsMore:
                    offset = count
                    continue arriving
                case .end(let consumed):
                    outcome.end = consumed
                    break arriving
                case .rejected(let reason):
                    outcome.rejection = reason
                    break arriving
                }
            }
        }
        outcome.body = String(decoding: body, as: UTF8.self)
        return outcome
    }
}

@Suite(.blocking)
struct ChunkDecoderTests {
    private static let accepted: [(text: String, body: String)] = [
        ("0\r\n\r\n", ""),
        ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
        ("00000005\r\nhello\r\n000\r\n\r\n", "hello"),
        ("a\r\n0123456789\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n", "0123456789\r\n\r\n\r\n\r\n\r\n"),
        ("5;name=value;x=\"y;z\"\r\nhello\r\n0;last\r\n\r\n", "hello"),
        ("0\r\nX-Sum: 1\r\nY:\tz\r\n\r\n", ""),
    ]

    /// A well-formed body is read the same whole, byte by byte and split at any place, and its end is found exactly.
    @Test(arguments: accepted.indices)
    func readsEveryWellFormedBodyInAnySplit(index: Int) {
        let (text, body) = Self.accepted[index]
        let bytes = Array((text + "GET /next").utf8)
        let expected = ChunkProbe.Outcome(body: body, end: text.utf8.count, rejection: nil)
        #expect(ChunkProbe.run(bytes, arrivals: [bytes.count]) == expected)
        #expect(ChunkProbe.run(bytes, arrivals: Array(1...bytes.count)) == expected)
        for place in 1..<bytes.count { #expect(ChunkProbe.run(bytes, arrivals: [place, bytes.count]) == expected) }
    }

    private static let refused: [(text: String, reason: HTTPRejection)] = [
        ("\r\n", .chunk), ("g\r\n", .chunk), ("+5\r\nhello", .chunk), ("-1\r\n", .chunk), (" 5\r\nhello", .chunk),
        ("5 \r\nhello", .chunk), ("0x5\r\nhello", .chunk), ("5\nhello", .chunk), ("5\rhello", .chunk),
        (";x\r\n", .chunk), ("5\r\nhello0\r\n", .chunk), ("5\r\nhello\n0\r\n\r\n", .chunk),
        ("5\r\nhello\rx", .chunk), ("4\r\nhello\r\n0\r\n\r\n", .chunk), ("6\r\nhello\r\n0\r\n\r\n", .chunk),
        ("1000000000000000\r\n", .chunk), ("ffffffffffffffff\r\n", .chunk), ("0000000000000001\r\n", .chunk),
        ("5;a\nb\r\n", .chunk), ("5;a\u{0}\r\n", .chunk), ("5;a\rb", .chunk),
        ("0\r\n\n", .chunk), ("0\r\n\rx", .chunk), ("0\r\n X: y\r\n\r\n", .chunk), ("0\r\nX y\r\n\r\n", .chunk),
        ("0\r\n: y\r\n\r\n", .chunk), ("0\r\nX: y\n\r\n", .chunk), ("0\r\nX: \u{1}\r\n\r\n", .chunk),
        ("0\r\nX: " + String(repeating: "y", count: 80), .trailerBytes),
    ]

    /// Every other form is refused, in any split.
    @Test(arguments: refused.indices)
    func refusesInAnySplit(index: Int) {
        let (text, reason) = Self.refused[index]
        let bytes = Array(text.utf8)
        let whole = ChunkProbe.run(bytes, arrivals: [bytes.count])
        #expect(whole.rejection == reason, "\(text.debugDescription)")
        for place in 1..<bytes.count { #expect(ChunkProbe.run(bytes, arrivals: [place, bytes.count]) == whole) }
    }

    /// Extensions of a whole body are bounded, however they are spread over chunks.
    @Test func boundsExtensionsOfAllChunks() {
        let chunk = "1;" + String(repeating: "x", count: 1_000) + "\r\na\r\n"
        let bytes = Array(String(repeating: chunk, count: 20).utf8)
        let outcome = ChunkProbe.run(bytes, arrivals: [bytes.count])
        #expect(outcome.rejection == .chunk)
        #expect(outcome.body.count == 16)
    }

    /// A body of known length ends after exactly so many bytes.
    @Test func lengthEndsExactly() {
        let bytes = Array("helloGET".utf8)
        var decoder = BodyDecoder(.length(5))
        #expect(decoder.step(bytes.span.bytes, from: 0, trailerBytesMax: 0) == .data(0..<5, consumed: 5))
        #expect(decoder.step(bytes.span.bytes, from: 5, trailerBytesMax: 0) == .end(consumed: 5))
        #expect(decoder.hasEnded)
    }
}
