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

    /// Of what tells most launches apart: a launch's few keys may share their place, and each event's is looked up.
    func hash(into hasher: inout Hasher) {
        hasher.combine(self.launch.campaign)
        hasher.combine(self.launch.launchedAt)
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
