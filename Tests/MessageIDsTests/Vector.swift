import MessageIDs
import TestSupport
import Testing

/// One case of `Vectors/ids-and-tokens.json`, made by an independent implementation.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Message: Decodable {
        var account, campaign, resource, subscription, profile, sentAt, launchedAt: String
        var channel, provider: UInt8
        var test: Bool?
        var privacy: UInt8?
    }

    var message: Message
    var bodyHex, messageKey, launchId, full, unique, email: String

    static let all = Vectors.read(Vector.self)

    var testDescription: String { self.full }

    var id: SendMessageID {
        get throws {
            SendMessageID(
                account: try #require(Int64(self.message.account)),
                campaign: try #require(Int64(self.message.campaign)),
                resource: try #require(Int64(self.message.resource)), channel: Channel(rawValue: self.message.channel),
                subscription: try #require(Int64(self.message.subscription)),
                profile: try #require(ProfileID(text: self.message.profile)),
                sentAt: try #require(UInt64(self.message.sentAt)),
                launchedAt: try #require(UInt64(self.message.launchedAt)),
                provider: Provider(rawValue: self.message.provider), isTest: self.message.test ?? false,
                privacy: try #require(Privacy(rawValue: self.message.privacy ?? 0)))
        }
    }

    var body: [UInt8] { Hex.bytes(self.bodyHex) }
}
