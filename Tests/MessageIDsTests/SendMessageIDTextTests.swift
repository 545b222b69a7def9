import TestSupport
import Testing

@testable import MessageIDs

@Suite(.blocking)
struct SendMessageIDTextTests {
    private static let base58 = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    private static let base32 = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    private func code(_ text: String) -> MessageIDError.Code? {
        errorCode { () throws(MessageIDError) in try SendMessageID(text: text) }
    }

    private func code(_ text: [UInt8]) -> MessageIDError.Code? { self.code(String(decoding: text, as: UTF8.self)) }

    private static var samples: [SendMessageID] {
        var random = SeededRandom(seed: 13)
        return [random.message(), random.message(), .largest, .smallest]
    }

    /// Random messages read back from all their texts.
    @Test func roundTripsRandomValues() throws {
        var random = SeededRandom(seed: 14)
        for _ in 0..<1500 {
            let message = random.message()
            #expect(try SendMessageID(text: message.text()) == message)
            let email = message.text(.emailSafe)
            #expect(try SendMessageID(text: email) == message)
            #expect(try SendMessageID(text: email.uppercased()) == message)
            #expect(
                try UniqueID(text: message.uniqueText) == UniqueID(account: message.account, key: message.messageKey))
        }
    }

    /// Full: every other character at every position is refused, by the checksum unless it makes a leading 1.
    @Test func fullRefusesEveryChangedCharacter() {
        for message in Self.samples {
            let text = Array(message.text().utf8)
            for index in 1..<text.count {
                for digit in Self.base58 where digit != text[index] {
                    var changed = text
                    changed[index] = digit
                    let expected: MessageIDError.Code =
                        index == 1 && digit == UInt8(ascii: "1") ? .nonMinimal : .checksum
                    if self.code(changed) != expected { Issue.record("\(digit) at \(index)") }
                }
                for foreign in Array("0OIl+/_ é".utf8) {
                    var changed = text
                    changed[index] = foreign
                    if self.code(changed) != .alphabet { Issue.record("\(foreign) at \(index)") }
                }
            }
        }
    }

    /// Email-safe: the same, but case is free; the spare bits of the last character are refused by their own code.
    @Test func emailSafeRefusesEveryChangedCharacter() {
        for message in Self.samples {
            let text = Array(message.text(.emailSafe).utf8)
            let spareBits = (text.count - 1) * 5 % 8
            for index in 1..<text.count {
                for (value, digit) in Self.base32.enumerated() where digit != text[index] {
                    var changed = text
                    changed[index] = digit
                    let before = Self.base32.firstIndex(of: text[index]) ?? 0
                    let isSpareOnly = index == text.count - 1 && value >> spareBits == before >> spareBits
                    if self.code(changed) != (isSpareOnly ? .nonMinimal : .checksum) {
                        Issue.record("\(digit) at \(index)")
                    }
                }
                for foreign in Array("ilouILOU-_= ".utf8) {
                    var changed = text
                    changed[index] = foreign
                    if self.code(changed) != .alphabet { Issue.record("\(foreign) at \(index)") }
                }
            }
        }
    }

    /// Every truncation of every form is refused.
    @Test func refusesEveryTruncation() {
        for message in Self.samples {
            for text in [message.text(), message.text(.emailSafe)] {
                for count in 0..<text.utf8.count {
                    let code = self.code(Array(text.utf8.prefix(count)))
                    #expect(code == .truncated || code == .checksum)
                }
                #expect(self.code(String(text.prefix(1))) == .truncated)
            }
            let unique = message.uniqueText
            for count in 0..<unique.utf8.count {
                let cut = String(unique.prefix(count))
                let code = errorCode { () throws(MessageIDError) in try UniqueID(text: cut) }
                #expect(code == .truncated || code == .checksum)
            }
        }
    }

    /// Appended characters are refused; where the id still stands in front, they are called trailing.
    @Test func refusesTrailingCharacters() {
        for message in Self.samples {
            for digit in Self.base58 {
                let code = self.code(Array(message.text().utf8) + [digit])
                #expect(code == .checksum)
            }
            for digit in Self.base32 {
                for count in [1, 2, 8] {
                    let code = self.code(Array(message.text(.emailSafe).utf8) + [UInt8](repeating: digit, count: count))
                    // A first character that fills the spare bits is damage to them as well.
                    #expect(code == .trailingBytes || code == .nonMinimal)
                }
            }
            #expect(self.code(message.text() + "\n") == .alphabet)
            #expect(self.code(message.text(.emailSafe) + " ") == .alphabet)
            #expect(self.code(message.text() + String(repeating: "2", count: 100_000)) == .trailingBytes)
            #expect(self.code(message.text(.emailSafe) + String(repeating: "2", count: 100_000)) == .trailingBytes)
        }
    }

    /// With a right checksum, what is wrong inside is named: ids made by a faulty writer.
    @Test(arguments: [
        ("8100 00 00 00 00 00 00 01 00 00", MessageIDError.Code.nonMinimal),
        ("01 00 00 00 00 00 00 01 00 00 00", .trailingBytes), ("01 00 00 00 00 00 00 01 08 00", .outOfRange),
        ("01 00 00 00 00 00 05 01 00 00", .truncated),
    ])
    func namesFaultsBehindARightChecksum(_ hex: String, _ code: MessageIDError.Code) {
        var body = ShortBytes()
        body.append(Hex.bytes(hex.filter { $0 != " " }).span)
        #expect(self.code(IDForm.full.text(body)) == code)
        #expect(self.code(IDForm.emailSafe.text(body)) == code)
    }

    /// The prefix is part of the checksum: a body's text under another letter is refused.
    @Test func refusesAnotherPrefix() {
        let message = Self.samples[0]
        let digits = message.text().dropFirst()
        #expect(self.code("U" + digits) == .unknownForm)
        #expect(errorCode { () throws(MessageIDError) in try UniqueID(text: "U" + digits) } != nil)
        #expect(errorCode { () throws(MessageIDError) in try UniqueID(text: "T" + digits) } == .unknownForm)
        for letter in ["t", "u", "w", "", "1", "é"] { #expect(self.code(letter + digits) != nil) }
        #expect(self.code("") == .truncated)
    }
}
