import HTTPFrontEnd

/// The admin listener's handler: every request is an ordinary endpoint.
final class AdminHandler: HTTPLoopHandler {
    private let endpoint: HTTPEndpoint

    init(_ router: AdminRouter) {
        self.endpoint = { request, _, writer in await writer.respond(await router.response(to: request)) }
    }

    func receive(
        _ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID
    ) -> HTTPReply { .endpoint(self.endpoint) }
    func turnEnded(_ loop: HTTPLoop) {}
    func woken(_ loop: HTTPLoop) {}
}
