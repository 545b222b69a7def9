/// How a message's end is found (RFC 9112 6.3).
enum HTTPBodyFraming: Hashable, Sendable {
    case none
    /// Content-Length, above 0.
    case length(Int)
    case chunked
}
