import CLinux
import TestSupport
import Testing

@Suite(.blocking)
struct CRC32CTests {
    private typealias Sum = (UInt32, UnsafeRawPointer?, Int) -> UInt32

    private static func sum(_ bytes: [UInt8], from start: UInt32 = 0, with sum: Sum = clinux_crc32c) -> UInt32 {
        bytes.withUnsafeBytes { sum(start, $0.baseAddress, $0.count) }
    }

    private static let published: [([UInt8], UInt32)] = [
        (Array("123456789".utf8), 0xE306_9283),
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        ([UInt8](0..<32), 0x46DD_794E),
        ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
        ([], 0),
    ]

    /// The check value of the CRC catalogue and the four examples of RFC 3720 appendix B.4, by both ways.
    @Test(arguments: Self.published)
    func givesThePublishedValues(_ bytes: [UInt8], _ expected: UInt32) {
        #expect(Self.sum(bytes) == expected)
        #expect(Self.sum(bytes, with: clinux_crc32c_portable) == expected)
        if clinux_crc32c_has_hardware() != 0 { #expect(Self.sum(bytes, with: clinux_crc32c_hardware) == expected) }
    }

    /// The instruction and the table agree at every length and alignment, and sums may be taken in parts.
    @Test func bothWaysAgree() {
        var random = SeededRandom(seed: 3720)
        let bytes = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
        for start in 0..<9 {
            for length in 0..<300 {
                let part = Array(bytes[start..<(start + length)])
                let table = Self.sum(part, with: clinux_crc32c_portable)
                #expect(Self.sum(part) == table)
                let middle = length / 3
                #expect(Self.sum(Array(part[middle...]), from: Self.sum(Array(part[..<middle]))) == table)
            }
        }
    }
}
