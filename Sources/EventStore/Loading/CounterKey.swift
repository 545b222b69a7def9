import MessageIDs

/// The key of `launch_total`.
struct TotalKey: Hashable {
    var launch: LaunchID
    var resource: Int64
    var channel: UInt8
    var provider: UInt8
    var isTest: Bool
    /// Class of the events counted; sent counts stand under `human`.
    var eventClass: EventClass

    /// Of all but the account, the small ones as one: each event's key is looked up. None that a sender chooses may be left out,
    /// or its launches could all share one place.
    func hash(into hasher: inout Hasher) {
        hasher.combine(self.launch.campaign)
        hasher.combine(self.launch.launchedAt)
        hasher.combine(self.resource)
        let kinds = UInt32(self.channel) << 16 | UInt32(self.provider) << 8 | UInt32(self.eventClass.rawValue) << 1
        hasher.combine(kinds | (self.isTest ? 1 : 0))
    }
}

/// The key of `launch_bucket`.
struct BucketKey: Hashable {
    var total: TotalKey
    /// UNIX microseconds.
    var bucketAt: Int64

    init(_ total: TotalKey, at microseconds: Int64) {
        self.total = total
        self.bucketAt = BucketTime.begin(
            of: microseconds, launchedAt: StoreTime(nanoseconds: total.launch.launchedAt).microseconds)
    }

    init(_ message: SendMessageID, _ eventClass: EventClass, at microseconds: Int64) {
        self.init(
            TotalKey(
                launch: message.launch, resource: message.resource, channel: message.channel.rawValue,
                provider: message.provider.rawValue, isTest: message.isTest, eventClass: eventClass),
            at: microseconds)
    }

    init(_ sent: SentCount) {
        self.init(
            TotalKey(
                launch: sent.launch, resource: sent.resource, channel: sent.channel.rawValue,
                provider: sent.provider.rawValue, isTest: sent.isTest, eventClass: .human),
            at: StoreTime(nanoseconds: sent.sentAt).microseconds)
    }
}
