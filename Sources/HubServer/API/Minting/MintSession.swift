import HubLinks
import MessageIDs

/// Makes the messages of one request and writes their answers. Used by one task at a time: it owns OpenSSL contexts.
final class MintSession {
    private let account: Int64
    private var keyRing: KeyRing
    private let publicURL: String
    private let defaultStyle: LinkStyle
    private let sendClock: SendClock
    private let claimed: IdempotencyKey.Claimed?
    /// The launch time of messages that name none: one for the whole request.
    private let launchedAt: UInt64
    private var minters: (path: LinkMinter?, cryptoPostEvents: LinkMinter?) = (nil, nil)
    private var launch: (id: LaunchID, text: [UInt8])?

    /// The request's messages so far, to be made durable before they are answered.
    var tally: SentTally

    init(_ call: APICall, claimed: IdempotencyKey.Claimed?) {
        self.account = call.account
        self.keyRing = call.services.keyRing
        self.publicURL = call.services.configuration.publicURL
        self.defaultStyle = call.services.configuration.linkStyle
        self.sendClock = call.services.sendClock
        self.claimed = claimed
        self.launchedAt = claimed?.firstSentAt ?? call.services.sendClock.next()
        self.tally = SentTally(request: claimed?.identity)
    }

    /// Makes further links with this ring, which may have been reloaded.
    func use(_ keyRing: KeyRing) {
        guard keyRing.entries != self.keyRing.entries else { return }
        self.keyRing = keyRing
        self.minters = (nil, nil)
    }

    /// The message that `launch` and `recipient` describe; nil when one of them lacks a required field.
    ///
    /// - Parameter index: The message's place in the request: under an Idempotency-Key it picks the nanosecond.
    func message(_ launch: LaunchFields, _ recipient: RecipientFields, index: UInt64) -> SendMessageID? {
        guard let campaign = launch.campaign, let provider = launch.provider, let profile = recipient.profile,
            let subscription = recipient.subscription
        else { return nil }
        let message = SendMessageID(
            account: self.account, campaign: campaign, resource: launch.resource, channel: launch.channel,
            subscription: subscription, profile: profile,
            sentAt: self.sentAt(given: recipient.sentAt, privacy: launch.privacy, index: index),
            launchedAt: launch.launchedAt ?? self.launchedAt, provider: provider, isTest: launch.isTest,
            privacy: launch.privacy)
        return message.asMinted
    }

    /// Only the send time tells anonymous messages apart, so a given one is moved to a free nanosecond. Under an
    /// Idempotency-Key it gives way to the request's own nanosecond: only that is both free and the same in a repeat.
    private func sentAt(given: UInt64?, privacy: Privacy, index: UInt64) -> UInt64 {
        if let claimed = self.claimed, given == nil || privacy == .anonymous {
            precondition(index < claimed.count)
            return claimed.firstSentAt + index
        }
        return self.sendClock.sendTime(given: given, privacy: privacy)
    }

    /// Appends `{"uid":…,"launch_id":…,"hub_link":{"ack":…,"open":…},"link_bytes":…}`. Ids are base58 and the URLs come
    /// from a checked configuration, so nothing needs escaping.
    func append(_ message: SendMessageID, style: LinkStyle?, to bytes: inout [UInt8]) throws(KeyRingError) {
        let minter = try self.minter(style ?? self.defaultStyle)
        bytes.append("{\"uid\":\"")
        bytes.append(contentsOf: message.text(.full).utf8)
        bytes.append("\",\"launch_id\":\"")
        self.appendLaunchID(message.launch, to: &bytes)
        bytes.append("\",\"hub_link\":{\"ack\":\"")
        var start = bytes.count
        minter.append(.ack, message, to: &bytes)
        var linkBytes = bytes.count - start
        bytes.append("\",\"open\":\"")
        start = bytes.count
        minter.append(.open, message, to: &bytes)
        linkBytes += bytes.count - start
        bytes.append("\"},\"link_bytes\":")
        bytes.append(contentsOf: String(linkBytes).utf8)
        bytes.append(UInt8(ascii: "}"))
    }

    private func minter(_ style: LinkStyle) throws(KeyRingError) -> LinkMinter {
        switch style {
        case .path:
            if let minter = self.minters.path { return minter }
            let minter = try LinkMinter(keyRing: self.keyRing, publicURL: self.publicURL, style: .path)
            self.minters.path = minter
            return minter
        case .cryptoPostEvents:
            if let minter = self.minters.cryptoPostEvents { return minter }
            let minter = try LinkMinter(keyRing: self.keyRing, publicURL: self.publicURL, style: .cryptoPostEvents)
            self.minters.cryptoPostEvents = minter
            return minter
        }
    }

    private func appendLaunchID(_ launch: LaunchID, to bytes: inout [UInt8]) {
        if let known = self.launch, known.id == launch {
            bytes.append(contentsOf: known.text)
            return
        }
        let text = Array(launch.text.utf8)
        bytes.append(contentsOf: text)
        self.launch = (launch, text)
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        self.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
