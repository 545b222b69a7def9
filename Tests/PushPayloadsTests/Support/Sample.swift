import MessageIDs

@testable import PushPayloads

/// What every rendered payload of these tests belongs to.
enum Sample {
    /// Sent at 2026-09-21T14:13:20Z, one second after its launch.
    static let message = SendMessageID(
        account: 1, campaign: 224, resource: 50, channel: .push, subscription: 43, profile: ProfileID(42),
        sentAt: 1_790_000_000_000_000_000, launchedAt: 1_789_999_999_000_000_000, provider: Provider(rawValue: 1),
        isTest: false, privacy: .keepAddress)

    static let ackLink = "https://hub.example/ack/ACK-token_0123456789"
    static let openLink = "https://hub.example/open/OPEN-token_0123456789"
    static let linkBytesMax = 400

    static func values(_ message: SendMessageID, _ recipient: PayloadRecipient) -> PayloadValues {
        PayloadValues(
            message: message, uid: Array(message.text().utf8), launchID: Array(message.launch.text.utf8),
            ackLink: Array(Self.ackLink.utf8), openLink: Array(Self.openLink.utf8), recipient: recipient)
    }
}
