/// The request's body as it comes, with back-pressure. `Expect: 100-continue` is answered at the first read.
///
/// One task reads at a time.
package final class HTTPBody: Sendable {
    private let exchange: EndpointExchange

    init(_ exchange: EndpointExchange) { self.exchange = exchange }

    /// The next chunk, nil at the end. Nothing is read from the client beyond `HTTPLimits.mailboxBytesMax` ahead.
    package func next() async throws(HTTPBodyError) -> [UInt8]? {
        while true {
            switch self.exchange.takeBody() {
            case .piece(let bytes): return bytes
            case .ended: return nil
            case .failed(let error): throw error
            case .empty: await self.exchange.bodyArrives()
            }
        }
    }

    /// All of it, up to the limit (else `.tooLarge`, which is answered 413 unless the endpoint answers itself).
    package func collect(bytesMax: Int) async throws(HTTPBodyError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await self.next() {
            guard bytes.count + piece.count <= bytesMax else {
                self.exchange.noteTooLarge()
                throw .tooLarge
            }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }
}
