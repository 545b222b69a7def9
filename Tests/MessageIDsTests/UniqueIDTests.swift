import TestSupport
import Testing

@testable import MessageIDs

@Suite(.blocking)
struct UniqueIDTests {
    private static let base58 = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    private func code(_ text: String) -> MessageIDError.Code? {
        errorCode { () throws(MessageIDError) in try UniqueID(text: text) }
    }

    /// Every other character at every position is refused.
    @Test func refusesEveryChangedCharacter() {
        var random = SeededRandom(seed: 15)
        for message in [random.message(), .largest, .smallest] {
            let text = Array(message.uniqueText.utf8)
            for index in 1..<text.count {
                for digit in Self.base58 where digit != text[index] {
                    var changed = text
                    changed[index] = digit
                    let expected: MessageIDError.Code =
                        index == 1 && digit == UInt8(ascii: "1") ? .nonMinimal : .checksum
                    let code = self.code(String(decoding: changed, as: UTF8.self))
                    if code != expected { Issue.record("\(digit) at \(index)") }
                }
            }
            for digit in Self.base58 {
                #expect(self.code(message.uniqueText + String(decoding: [digit], as: UTF8.self)) == .checksum)
            }
        }
    }

    /// With a right checksum, what is wrong inside is named.
    @Test func namesFaultsBehindARightChecksum() {
        let key = Hex.bytes("0174fde9401b8c90bfbd3f55830b001e")
        let wrongVersion = Hex.bytes("0174fde9401b4c90bfbd3f55830b001e")
        let cases: [([UInt8], MessageIDError.Code)] = [
            ([0] + key, .nonMinimal), ([0x81, 0] + key, .nonMinimal), ([1] + wrongVersion, .outOfRange),
            ([1] + key + [0], .trailingBytes),
        ]
        for (bytes, code) in cases {
            var payload = ShortBytes()
            payload.append(bytes.span)
            #expect(self.code(IDForm.unique.text(payload)) == code)
        }
    }

    /// The text does not hold the message's fields: two messages that differ in one field differ everywhere behind it.
    @Test func doesNotRevealTheMessage() throws {
        var message = SendMessageID.largest
        message.subscription = 1_234_567
        let text = message.uniqueText
        let decoded = try DecodedID(text: text)
        #expect(decoded.message == nil)
        #expect(!decoded.fields.contains { $0.value.contains("1234567") })
    }
}
