import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct ParserFuzzTests {
    private static let heads = [
        "GET /ack/token?a=b HTTP/1.1\r\nHost: a.example\r\nUser-Agent: phone/1.0\r\nAccept: */*\r\n\r\n",
        "POST http://a/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
        "PUT / HTTP/1.0\r\nConnection: keep-alive, close\r\nContent-Length: 17\r\n\r\n",
    ]

    /// Damaged heads never trap, are read the same in any split, and what is accepted keeps the rules.
    @Test(arguments: 1...4)
    func damagedHeadsAreReadTheSameInAnySplit(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for round in 0..<400 {
            let bytes = generator.mutate(Array(Self.heads[round % Self.heads.count].utf8))
            let whole = ParseProbe.run(bytes, arrivals: [bytes.count])
            let dripped = ParseProbe.run(bytes, arrivals: Array(stride(from: 1, through: bytes.count, by: 1)))
            #expect(whole == dripped, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            guard case .head(let head) = whole else { continue }
            let hosts = head.fields.filter { $0.lowercased().hasPrefix("host=") }.count
            #expect(hosts == 1 || head.minorVersion == 0 && hosts == 0)
            #expect(!head.target.utf8.contains { $0 <= 0x20 || $0 == 0x7f })
            #expect(!head.fields.contains { $0.utf8.contains { $0 == 0x0d || $0 == 0x0a } })
        }
    }

    /// Damaged chunked bodies never trap and are read the same in any split.
    @Test(arguments: 1...4)
    func damagedBodiesAreReadTheSameInAnySplit(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let body = Array("5;a=b\r\nhello\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nX-T: 1\r\nY: 2\r\n\r\n".utf8)
        for _ in 0..<800 {
            let bytes = generator.mutate(body)
            let whole = ChunkProbe.run(bytes, arrivals: [bytes.count])
            #expect(whole == ChunkProbe.run(bytes, arrivals: Array(stride(from: 1, through: bytes.count, by: 1))))
        }
    }
}
