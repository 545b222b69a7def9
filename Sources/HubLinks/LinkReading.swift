public import MessageIDs

/// What a request target turned out to be.
public enum LinkReading: Hashable, Sendable {
    /// Not below a link's path: another route.
    case notALink
    /// A link that can't be trusted. The kind is for the metric; every kind gets one and the same answer.
    case damaged(LinkDamage)
    case message(EventKind, SendMessageID)
}
