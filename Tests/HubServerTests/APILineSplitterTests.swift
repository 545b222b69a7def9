import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APILineSplitterTests {
    /// Lines come out the same however the stream is cut into chunks.
    @Test func cutsTheSameLinesWhateverTheChunks() {
        let text = Array("one\ntwo\n\n  \nthree\r\nlast".utf8)
        for size in 1...text.count {
            #expect(Self.lines(of: text, chunkBytes: size) == ["one", "two", "", "  ", "three\r", "last"], "\(size)")
        }
    }

    /// A stream that ends with a line feed has no empty line after it.
    @Test func endsAtTheLastLineFeed() {
        #expect(Self.lines(of: Array("a\n".utf8), chunkBytes: 8) == ["a"])
        #expect(Self.lines(of: [], chunkBytes: 8) == [])
    }

    /// A line at the limit passes; one byte more is reported once and dropped, and its neighbours stay.
    @Test(arguments: [1, 7, 4_096, 65_536, 1 << 20])
    func reportsALongLineOnceAndKeepsItsNeighbours(chunkBytes: Int) {
        let limit = LineSplitter.lineBytesMax
        for excess in [0, 1, 5, limit, 3 * limit] {
            if chunkBytes == 1 && excess > 5 { continue }
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: limit + excess)
            let text = Array("before\n".utf8) + long + Array("\nafter\n".utf8)
            let middle = excess == 0 ? String(decoding: long, as: UTF8.self) : "<too long>"
            #expect(Self.lines(of: text, chunkBytes: chunkBytes) == ["before", middle, "after"], "\(excess)")
        }
    }

    /// A long line that never ends is reported, not kept.
    @Test func reportsALongLastLine() {
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: LineSplitter.lineBytesMax * 4)
        #expect(Self.lines(of: text, chunkBytes: 10_000) == ["<too long>"])
    }

    private static func lines(of text: [UInt8], chunkBytes: Int) -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        for start in stride(from: 0, to: text.count, by: chunkBytes) {
            let chunk = Array(text[start..<min(start + chunkBytes, text.count)])
            var offset = 0
            while let line = splitter.next(in: chunk, at: &offset) {
                switch line {
                case .inChunk(let range): lines.append(String(decoding: chunk[range], as: UTF8.self))
                case .joined: lines.append(String(decoding: splitter.joined, as: UTF8.self))
                case .tooLong: lines.append("<too long>")
                }
            }
            #expect(offset == chunk.count)
            #expect(splitter.joined.count <= LineSplitter.lineBytesMax)
        }
        if splitter.finish() != nil { lines.append(String(decoding: splitter.joined, as: UTF8.self)) }
        return lines
    }
}
