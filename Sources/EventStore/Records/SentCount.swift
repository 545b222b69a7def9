package import MessageIDs

/// Messages minted: a spool record too, so that a sent count is as durable as an event.
package struct SentCount: Sendable {
    package var launch: LaunchID
    package var resource: Int64
    package var channel: Channel
    package var provider: Provider
    package var isTest: Bool
    /// UNIX nanoseconds: the bucket in which they count.
    package var sentAt: UInt64
    /// Messages, 0 or more; with a `request`, the whole request's so far for this launch, resource, channel, provider
    /// and test (the greatest counts, once).
    package var count: Int64
    /// SHA-256 over account and Idempotency-Key, first 16 bytes; nil without one.
    package var request: UInt128?

    package init(
        launch: LaunchID, resource: Int64, channel: Channel, provider: Provider, isTest: Bool, sentAt: UInt64,
        count: Int64, request: UInt128? = nil
    ) {
        precondition(count >= 0, "a sent count is not negative")
        self.launch = launch
        self.resource = resource
        self.channel = channel
        self.provider = provider
        self.isTest = isTest
        self.sentAt = sentAt
        self.count = count
        self.request = request
    }
}
