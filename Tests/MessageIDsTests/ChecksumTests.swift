import TestSupport
import Testing

@testable import MessageIDs

@Suite(.blocking)
struct ChecksumTests {
    private func bitwise(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xedb8_8320 }
        }
        return ~crc
    }

    /// The check value of CRC-32/ISO-HDLC, which is IEEE 802.3's.
    @Test func givesTheCheckValue() {
        #expect(CRC32.checksum(prefix: UInt8(ascii: "1"), Array("23456789".utf8).span) == 0xcbf4_3926)
    }

    /// Eight bytes a step agree with one bit a step for every length.
    @Test func agreesWithTheBitwiseSum() {
        var random = SeededRandom(seed: 3)
        for count in 0...100 {
            let bytes = random.bytes(count...count)
            #expect(CRC32.checksum(prefix: 0x54, bytes.span) == self.bitwise([0x54] + bytes))
        }
    }
}
