/// A place for what differs from message to message; all else of a payload is the same for a whole launch.
///
/// No value needs escaping in JSON, at any depth: ids are base58 or a UUID, links are of a checked public URL, a token is
/// checked (see `PayloadRecipient`).
enum PayloadHole: Hashable, Sendable {
    case token
    /// The topic's name, of a recipient that is one.
    case topic
    /// The same as FCM's legacy interface addresses it: `/topics/` and the name.
    case topicPath
    /// The message's Full id.
    case uid
    case launchID
    case ackLink
    case openLink
    /// The message key: a UUID.
    case messageKey
    /// UNIX seconds at which the message expires: `ttl` seconds after its send time; 0 for a ttl of 0.
    case expiration(ttl: Int64)
    /// UNIX seconds of the launch.
    case launchedAtSeconds
}
