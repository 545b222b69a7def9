import EventStore
import HTTPFrontEnd
import HubLinks

/// A request's `Idempotency-Key`: its repeat within 24 hours gets the same answer and is not counted again.
struct IdempotencyKey: Sendable {
    static let bytesMax = 255

    private let text: String

    /// nil without the header; 400 for one that is empty, too long or not printable ASCII.
    init?(_ request: HTTPRequest) throws(Problem) {
        let values = request.headers.filter { $0.name == "idempotency-key" }
        guard let text = values.first?.value else { return nil }
        guard values.count == 1, (1...Self.bytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .invalidIdempotencyKey }
        self.text = text
    }

    /// Reserves `count` nanoseconds for the request, or finds those that it was given at first. 422 when the key came
    /// with another request.
    ///
    /// - Parameter body: What must be the same in a repeat beside path and type; nothing for a stream, whose bytes are not
    ///   known yet.
    func claim(_ call: APICall, _ type: MediaType, body: [UInt8], count: UInt64) async throws -> Claimed {
        let account = call.account
        let key = SHA256Digest(Array("\(account) \(self.text)".utf8)).prefix
        let digest = SHA256Digest(Array("\(call.request.path)\n\(type.rawValue)\n".utf8) + body).bytes
        let proposed = MintRequest(firstSentAt: call.services.sendClock.reserve(count))
        let claim = try await call.database { connection in
            try MintRequest.claim(account: account, key: key, digest: digest, proposed: proposed, on: connection)
        }
        switch claim {
        case .conflict: throw Problem.idempotencyKeyReused
        case .new(let request), .repeated(let request):
            // With the time of the claim in it, the identity of its counts ends with the claim: the same key is another
            // request a day later.
            let identity = SHA256Digest(Array("\(account) \(request.firstSentAt) \(self.text)".utf8)).prefix
            return Claimed(identity: identity, firstSentAt: request.firstSentAt, count: count)
        }
    }

    /// What a key stands for.
    struct Claimed: Sendable {
        /// Names the request in its sent counts.
        let identity: UInt128
        /// The first of `count` nanoseconds that are the request's own.
        let firstSentAt: UInt64
        let count: UInt64
    }
}
