import MessageIDs
import TestSupport

extension SeededRandom {
    /// A number of any magnitude: uniform numbers are nearly all long.
    mutating func number(bits: Int = 64) -> UInt64 {
        let width = Int.random(in: 0...bits, using: &self)
        return width == 0 ? 0 : self.next() >> UInt64(64 - width)
    }

    mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Characters that ids are made of, with a few that they are not.
    mutating func idText(_ counts: ClosedRange<Int>) -> String {
        let characters = Array(
            "TUEeumfw_|.-0123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZOIl é\u{0}".unicodeScalars)
        var text = ""
        for _ in 0..<Int.random(in: counts, using: &self) {
            text.unicodeScalars.append(characters[Int.random(in: characters.indices, using: &self)])
        }
        return text
    }

    mutating func message() -> SendMessageID {
        SendMessageID(
            account: Int64(max(1, self.number(bits: 63))), campaign: Int64(self.number(bits: 63)),
            resource: Int64(self.number(bits: 63)), channel: Channel(rawValue: UInt8(self.number(bits: 8))),
            subscription: Int64(self.number(bits: 63)),
            profile: ProfileID(UInt128(self.number()) << UInt128(self.number(bits: 6)) | UInt128(self.number())),
            sentAt: self.number(), launchedAt: self.number(), provider: Provider(rawValue: UInt8(self.number(bits: 8))),
            isTest: Bool.random(using: &self), privacy: Privacy.allCases.randomElement(using: &self) ?? .keepAddress)
    }
}

extension SendMessageID {
    /// Every field at its largest.
    static let largest = SendMessageID(
        account: .max, campaign: .max, resource: .max, channel: Channel(rawValue: 255), subscription: .max,
        profile: ProfileID(.max), sentAt: .max, launchedAt: 0, provider: Provider(rawValue: 255), isTest: true,
        privacy: .anonymous)

    /// Every field at its smallest.
    static let smallest = SendMessageID(
        account: 1, campaign: 0, resource: 0, channel: Channel(rawValue: 0), subscription: 0, profile: ProfileID(0),
        sentAt: 0, launchedAt: 0, provider: Provider(rawValue: 0), isTest: false, privacy: .keepAddress)
}

/// The code of the error that `body` throws, nil when it does not.
func errorCode(_ body: () throws(MessageIDError) -> some Any) -> MessageIDError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}
