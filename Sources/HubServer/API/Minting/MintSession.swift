import EventStore
import HubLinks
import MessageIDs

/// Makes the messages of one request and counts them. Used by one task at a time.
final class MintSession {
    private let account: Int64
    private let sendClock: SendClock
    private let claimed: IdempotencyKey.Claimed?
    /// The launch time of messages that name none: one for the whole request.
    private let launchedAt: UInt64
    private var tally: SentTally
    private var storedMessages: [[UInt8]] = []

    /// What writes their links.
    let links: LinkWriters

    init(_ call: APICall, _ links: LinkWriters, claimed: IdempotencyKey.Claimed?) {
        self.account = call.account
        self.links = links
        self.sendClock = call.services.sendClock
        self.claimed = claimed
        self.launchedAt = claimed?.firstSentAt ?? call.services.sendClock.next()
        self.tally = SentTally(request: claimed?.identity)
    }

    /// Counts the message as sent once `takeRecords` are durable; false when the request touches more than may be kept
    /// apart.
    ///
    /// - Parameter isStored: The hub must know the message before its device reports.
    func count(_ message: SendMessageID, isStored: Bool = false) -> Bool {
        guard self.tally.count(message) else { return false }
        if isStored {
            var record: [UInt8] = []
            record.reserveCapacity(MintedMessage.recordBytesMax)
            MintedMessage(message: message).appendRecord(to: &record)
            self.storedMessages.append(record)
        }
        return true
    }

    /// The spool records to write before what was counted is answered.
    func takeRecords() -> [[UInt8]] {
        defer { self.storedMessages.removeAll(keepingCapacity: true) }
        return self.storedMessages + self.tally.takeRecords()
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
}
