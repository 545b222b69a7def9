/// What a server counted since it started, all loops added up.
package struct HTTPServerMetrics: Sendable {
    package var connectionsOpen = 0
    package var connectionsAccepted: UInt64 = 0
    /// Accepted and turned away: over the limit of connections.
    package var connectionsRefused: UInt64 = 0
    package var requests: UInt64 = 0
    /// By status code.
    package var responses: [Int: UInt64] = [:]
    /// By reason: the names of `HTTPRejection`; every reason is present.
    package var rejections: [String: UInt64] = [:]
    /// Times that a full buffer made somebody wait: `output` (the peer takes no responses), `request_mailbox` (an endpoint
    /// does not read), `response_mailbox` (an endpoint writes faster than its peer reads).
    package var pauses: [String: UInt64] = [:]
    package var bytesReceived: UInt64 = 0
    package var bytesSent: UInt64 = 0
    package var tlsHandshakeFailures: UInt64 = 0

    package init() {}
}
