/// An endpoint's way to answer: `respond` once, or `start`, any number of `write`, `finish`.
///
/// One task writes at a time. Calls in another order are programming errors and trap.
package final class HTTPResponseWriter: Sendable {
    private let exchange: EndpointExchange

    init(_ exchange: EndpointExchange) { self.exchange = exchange }

    /// A whole response. After it, nothing. Nobody notices when the client is gone.
    package func respond(_ response: HTTPResponse) async { self.exchange.put(.response(response)) }

    /// Starts a streamed body (chunked for 1.1, until close for 1.0).
    package func start(status: Int, headers: [(name: String, value: String)]) async {
        precondition((200...599).contains(status), "a response's status is 200–599")
        self.exchange.put(
            .start(StreamStart(status: status, head: ResponseHead.start(status: status, headers: headers))))
    }

    /// Waits while the peer is slow; throws `.disconnected` when it went away.
    package func write(_ bytes: [UInt8]) async throws(HTTPBodyError) {
        if bytes.isEmpty { return }
        self.exchange.put(.piece(bytes))
        if self.exchange.isFull {
            self.exchange.notePause()
            while self.exchange.isFull { await self.exchange.roomComes() }
        }
        if self.exchange.isDisconnected { throw .disconnected }
    }

    /// The end of a streamed body.
    package func finish() async { self.exchange.put(.end) }
}

/// A streamed response's status and fields.
struct StreamStart: Sendable {
    let status: Int
    /// Status line and fields, without the front end's own.
    let head: [UInt8]
}
