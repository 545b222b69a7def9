import CommandLineOptions
import Glibc
import HubLinks
import HubServer
import MessageIDs

extension Command {
    /// `ackhub mint`: links without a running hub.
    static let mint = Command(
        name: "mint",
        summary: "mint the links of messages in process",
        discussion: """
            Prints what POST /v1/links answers for each message: with --json one object a line, exactly as in its
            'messages'. With --count N the messages have N profiles and subscriptions in sequence.
            It uses the keys and public-url of the settings and needs no database. Minting in process does not count
            as sent: report the count with POST /v1/launches/{launch_id}/sent.
            """,
        options: MintOptions.all,
        requiredSettings: ["public-url", "keys-file"],
        optionalSettings: ["link-style"],
        run: { invocation in
            let options = MintOptions(invocation)
            let ring = try KeyRing(contentsOf: invocation.configuration.keysFile)
            let minter = try LinkMinter(
                keyRing: ring, publicURL: invocation.configuration.publicURL, style: options.style)
            var printer = MintPrinter(minter: minter, form: options.form)
            try options.eachMessage { try printer.print($0) }
            try printer.finish()
            return .success
        }
    )
}

/// The options of `ackhub mint`, read.
private struct MintOptions {
    static let account = Option("account", .account, .required, help: "the tenant")
    static let campaign = Option("campaign", .id(), .required, help: "the mailing")
    static let provider = Option("provider", .provider, .required, help: "the delivery service, e.g. android-firebase")
    static let profile = Option("profile", .profile, .required, help: "whose message it is; the first of --count")
    static let subscription = Option(
        "subscription", .id(), .required, help: "to which it goes; the first of --count")
    static let resource = Option("resource", .id(), .defaults(to: 0, text: "0"), help: "the app or site")
    static let channel = Option(
        "channel", .channel, .defaults(to: .push, text: "push"), help: "email, push, sms, webpush, inapp or a number")
    static let launchedAt = Option("launched-at", .time, help: "when the launch began (default now)")
    static let sentAt = Option("sent-at", .time, help: "when they are sent (default now, a nanosecond each)")
    static let privacy = Option(
        "privacy", .privacy, .defaults(to: .keepAddress, text: "0"),
        help: "0 keep the client's address, 1 mask it, 2 drop it,\n3 also drop profile and subscription")
    static let test = Option<Bool>.flag("test", help: "test sends: left out of reports")
    static let style = Option("style", .style, help: "path or crypto_post_events (default link-style)")
    static let count = Option(
        "count", .count(in: 1...1_000_000_000), .defaults(to: 1, text: "1"), help: "how many messages")
    static let paths = Option<Bool>.flag(
        "paths", help: "print only the links' paths, ack and open, one a line (for load generators)")

    static let all: [any CommandOption] = [
        account, campaign, provider, profile, subscription, resource, channel, launchedAt, sentAt, privacy, test,
        style, count, paths, .json,
    ]

    let arguments: Arguments
    let style: LinkStyle
    let form: MintPrinter.Form

    init(_ invocation: Invocation) {
        self.arguments = invocation.arguments
        self.style = self.arguments.ifGiven(Self.style) ?? invocation.configuration.linkStyle
        self.form = self.arguments[Self.paths] ? .paths : self.arguments[.json] ? .json : .text
    }

    func eachMessage(_ body: (SendMessageID) throws -> Void) throws {
        let clock = SendClock(now: WallClock.now)
        let count = self.arguments[Self.count]
        let (profile, subscription) = (self.arguments[Self.profile], self.arguments[Self.subscription])
        guard profile.value <= UInt128.max - UInt128(count - 1), subscription <= Int64.max - Int64(count - 1) else {
            throw UsageError(problems: ["--count \(count) runs past the greatest profile or subscription"])
        }
        let privacy = self.arguments[Self.privacy]
        let given = self.arguments.ifGiven(Self.sentAt)
        let launchedAt = self.arguments.ifGiven(Self.launchedAt) ?? given ?? WallClock.now()
        for index in 0..<count {
            let message = SendMessageID(
                account: self.arguments[Self.account], campaign: self.arguments[Self.campaign],
                resource: self.arguments[Self.resource], channel: self.arguments[Self.channel],
                subscription: subscription + Int64(index), profile: ProfileID(profile.value + UInt128(index)),
                sentAt: clock.sendTime(given: given, privacy: privacy), launchedAt: launchedAt,
                provider: self.arguments[Self.provider], isTest: self.arguments[Self.test], privacy: privacy)
            try body(message.asMinted)
        }
    }
}
