import HubLinks
import MessageIDs

/// One push of the simulated launch.
struct PlannedMessage: Sendable, Equatable {
    var provider: Provider
    var profile: ProfileID
    var subscription: Int64
    var style: LinkStyle
    var privacy: Privacy
    var isTest: Bool
}

/// Messages that are minted with one request.
struct PlannedBatch: Sendable, Equatable {
    var messages: Range<Int>
    /// NDJSON, a line a message; else one JSON object, whose messages share all but profile and subscription.
    var isStreamed: Bool
}
