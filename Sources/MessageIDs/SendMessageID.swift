/// One push to one subscription: the fields of design section 3.
///
/// Ids are 0 … 2^63−1, `account` is at least 1; writing a message with another value is a fault of the program and traps.
public struct SendMessageID: Hashable, Sendable {
    public var account: Int64
    public var campaign: Int64
    public var resource: Int64
    public var channel: Channel
    public var subscription: Int64
    public var profile: ProfileID
    /// UNIX nanoseconds.
    public var sentAt: UInt64
    /// UNIX nanoseconds.
    public var launchedAt: UInt64
    public var provider: Provider
    public var isTest: Bool
    public var privacy: Privacy

    public init(
        account: Int64, campaign: Int64, resource: Int64, channel: Channel, subscription: Int64, profile: ProfileID,
        sentAt: UInt64, launchedAt: UInt64, provider: Provider, isTest: Bool, privacy: Privacy
    ) {
        self.account = account
        self.campaign = campaign
        self.resource = resource
        self.channel = channel
        self.subscription = subscription
        self.profile = profile
        self.sentAt = sentAt
        self.launchedAt = launchedAt
        self.provider = provider
        self.isTest = isTest
        self.privacy = privacy
    }

    public var launch: LaunchID {
        LaunchID(account: self.account, campaign: self.campaign, launchedAt: self.launchedAt)
    }

    /// The message as it is minted: with ``Privacy/anonymous``, profile and subscription are 0.
    ///
    /// Give an anonymous message's send time to `SendClock.moveToFree` first: only the time tells such messages apart.
    public var asMinted: SendMessageID {
        var message = self
        if self.privacy == .anonymous {
            message.profile = ProfileID(0)
            message.subscription = 0
        }
        return message
    }

    /// UUID version 8 of design section 3: equal for equal messages, and sorted by send time.
    public var messageKey: MessageKey {
        var body = ShortBytes()
        self.appendBody(to: &body)
        return body.withSpan { MessageKey(sentAt: self.sentAt, body: $0) }
    }
}
