/// What a loop's handler says of a request.
package enum HTTPReply {
    /// The answer itself. A request body is read and dropped first; after `Expect: 100-continue` the answer comes at once.
    case now(HTTPResponse)
    /// `HTTPLoop.complete` will come for this exchange, on this loop's thread. A request body, if any, is read and dropped.
    case later
    /// An ordinary endpoint: runs as a task, off the loop.
    case endpoint(HTTPEndpoint)
}

/// An ordinary endpoint. Its task is cancelled when the client goes away; one that returns without an answer is answered
/// 500 (or 413, 408, 400 when its body failed so).
package typealias HTTPEndpoint = @Sendable (HTTPRequest, HTTPBody, HTTPResponseWriter) async -> Void
