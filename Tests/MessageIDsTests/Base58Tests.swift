import TestSupport
import Testing

@testable import MessageIDs

@Suite(.blocking)
struct Base58Tests {
    private static let digits = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    private func text(_ number: UInt64) -> String {
        var text = ShortBytes()
        Base58.append(number, to: &text)
        return text.text
    }

    private func text(_ bytes: [UInt8]) -> String {
        var text = ShortBytes()
        Base58.append(bytes.span, to: &text)
        return text.text
    }

    private func bytes(_ text: String) -> [UInt8]? {
        var bytes = ShortBytes()
        guard Base58.appendBytes(of: text.utf8Span.span, to: &bytes) else { return nil }
        var array: [UInt8] = []
        bytes.append(to: &array)
        return array
    }

    /// The schoolbook way: one digit a division over all bytes.
    private func schoolbook(_ bytes: [UInt8]) -> String {
        var number = bytes
        var digits: [UInt8] = []
        while number.contains(where: { $0 != 0 }) {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | Int(number[index])
                number[index] = UInt8(value / 58)
                remainder = value % 58
            }
            digits.append(Self.digits[remainder])
        }
        digits += bytes.prefix { $0 == 0 }.map { _ in UInt8(ascii: "1") }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Numbers are written without leading 1s, and 0 is `1`.
    @Test(arguments: [
        (UInt64(0), "1"), (1, "2"), (57, "Z"), (58, "21"), (224, "4S"), (1_601_987_755_942_397_338, "4HFn8RDhhmA"),
        (UInt64.max, "JPwcyDCgEup"), (UInt64(Int64.max), "npL6MjP8Qfc"),
    ])
    func writesAndReadsNumbers(_ number: UInt64, _ text: String) throws {
        #expect(self.text(number) == text)
        #expect(try Base58.number(text.utf8Span.span, "number") == number)
    }

    /// A number has one text, of the alphabet, below 2^64.
    @Test(arguments: [
        ("", MessageIDError.Code.truncated), ("11", .nonMinimal), ("12", .nonMinimal), ("1JPwcyDCgEup", .nonMinimal),
        ("0", .alphabet), ("O", .alphabet), ("I", .alphabet), ("l", .alphabet), ("2_", .alphabet), ("é", .alphabet),
        ("JPwcyDCgEuq", .outOfRange), ("ZZZZZZZZZZZ", .outOfRange), ("222222222222", .outOfRange),
    ])
    func refusesNumbers(_ text: String, _ code: MessageIDError.Code) {
        #expect(errorCode { () throws(MessageIDError) in try Base58.number(text.utf8Span.span, "number") } == code)
    }

    /// The ten-digits-a-step code agrees with the schoolbook for every length, at the edges and for random bytes.
    @Test func bytesAgreeWithTheSchoolbook() {
        var random = SeededRandom(seed: 1)
        for count in 0...Base58.bytesMax {
            let samples = [
                [UInt8](repeating: 0, count: count), [UInt8](repeating: 0xff, count: count),
                (0..<count).map { $0 == 0 ? 1 : 0 }, random.bytes(count...count), random.bytes(count...count),
                [UInt8](repeating: 0, count: count / 2) + random.bytes(count - count / 2...count - count / 2),
            ]
            for sample in samples {
                let text = self.text(sample)
                #expect(text == self.schoolbook(sample))
                #expect(self.bytes(text) == sample)
            }
        }
    }

    /// The division's quotient estimate is corrected both ways: dividends around multiples of 58^10.
    @Test func bytesAroundMultiplesOfTheChunk() {
        let chunk: UInt128 = 430_804_206_899_405_824
        var random = SeededRandom(seed: 2)
        for round in 0..<3000 {
            let factor = UInt128(random.number(bits: 64))
            let number = factor &* chunk &+ UInt128(round % 3) &- 1
            let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(120 - $0 * 8)) }
            let text = self.text(bytes)
            #expect(text == self.schoolbook(bytes))
            #expect(self.bytes(text) == bytes)
        }
    }

    /// Foreign characters are refused wherever they stand.
    @Test func refusesForeignCharactersInBytes() {
        let text = Array(self.text(Array(1...60)).utf8)
        for index in text.indices {
            for byte in [UInt8(ascii: "0"), UInt8(ascii: "O"), UInt8(ascii: "I"), UInt8(ascii: "l"), 0, 0x80, 0xff] {
                var changed = text
                changed[index] = byte
                var bytes = ShortBytes()
                #expect(!Base58.appendBytes(of: changed.span, to: &bytes))
            }
        }
    }
}
