import CommandLineOptions
import HubLinks
import HubServer
import MessageIDs

/// The options that describe a message to mint, read: those of `ackhub mint` and `ackhub render`.
struct MessageOptions {
    private static let account = Option("account", .account, .required, help: "the tenant")
    private static let campaign = Option("campaign", .id(), .required, help: "the mailing")
    private static let provider = Option(
        "provider", .provider, .required, help: "the delivery service, e.g. android-firebase")
    private static let profile = Option("profile", .profile, .required, help: "whose message it is")
    private static let subscription = Option("subscription", .id(), .required, help: "to which it goes")
    private static let resource = Option("resource", .id(), .defaults(to: 0, text: "0"), help: "the app or site")
    private static let channel = Option(
        "channel", .channel, .defaults(to: .push, text: "push"), help: "email, push, sms, webpush, inapp or a number")
    private static let launchedAt = Option("launched-at", .time, help: "when the launch began (default now)")
    private static let sentAt = Option(
        "sent-at", .time, help: "when it is sent (default now, each message a nanosecond of its own)")
    private static let privacy = Option(
        "privacy", .privacy, .defaults(to: .keepAddress, text: "0"),
        help: "0 keep the client's address, 1 mask it, 2 drop it,\n3 also drop profile and subscription")
    private static let test = Option<Bool>.flag("test", help: "a test send: left out of reports")
    private static let style = Option("style", .style, help: "path or crypto_post_events (default link-style)")

    static let all: [any CommandOption] = [
        account, campaign, provider, profile, subscription, resource, channel, launchedAt, sentAt, privacy, test, style,
    ]
    /// Settings that minting needs, and one that it reads.
    static let requiredSettings = ["public-url", "keys-file"]
    static let optionalSettings = ["link-style"]

    private let arguments: Arguments
    private let configuration: HubConfiguration
    private let clock = SendClock(now: WallClock.now)
    private let givenSentAt: UInt64?
    private let launchedAt: UInt64

    init(_ invocation: Invocation) {
        self.arguments = invocation.arguments
        self.configuration = invocation.configuration
        self.givenSentAt = self.arguments.ifGiven(Self.sentAt)
        self.launchedAt = self.arguments.ifGiven(Self.launchedAt) ?? self.givenSentAt ?? WallClock.now()
    }

    var provider: Provider { self.arguments[Self.provider] }

    /// With the key ring and the public URL of the settings.
    func makeMinter() throws -> LinkMinter {
        try LinkMinter(
            keyRing: try KeyRing(contentsOf: self.configuration.keysFile), publicURL: self.configuration.publicURL,
            style: self.arguments.ifGiven(Self.style) ?? self.configuration.linkStyle)
    }

    /// Messages of `count` profiles and subscriptions in sequence, as minted.
    func eachMessage(count: Int, _ body: (SendMessageID) throws -> Void) throws {
        let (profile, subscription) = (self.arguments[Self.profile], self.arguments[Self.subscription])
        guard profile.value <= UInt128.max - UInt128(count - 1), subscription <= Int64.max - Int64(count - 1) else {
            throw UsageError(problems: ["--count \(count) runs past the greatest profile or subscription"])
        }
        let privacy = self.arguments[Self.privacy]
        for index in 0..<count {
            let message = SendMessageID(
                account: self.arguments[Self.account], campaign: self.arguments[Self.campaign],
                resource: self.arguments[Self.resource], channel: self.arguments[Self.channel],
                subscription: subscription + Int64(index), profile: ProfileID(profile.value + UInt128(index)),
                sentAt: self.clock.sendTime(given: self.givenSentAt, privacy: privacy), launchedAt: self.launchedAt,
                provider: self.provider, isTest: self.arguments[Self.test], privacy: privacy)
            try body(message.asMinted)
        }
    }
}
