package import Postgres

/// `Idempotency-Key`: what a request was given at first, kept 24 h, so that its repeat gives the same links.
package struct MintRequest: Sendable, Equatable {
    package enum Claim: Sendable, Equatable {
        /// The key was free, or older than 24 hours; it now stands for the proposed request.
        case new(MintRequest)
        /// The same request came before and was given this.
        case repeated(MintRequest)
        /// The key stands for another request.
        case conflict
    }

    /// The first nanosecond of the range that its messages without `sent_at` take, in order.
    package var firstSentAt: UInt64

    package init(firstSentAt: UInt64) { self.firstSentAt = firstSentAt }

    /// `digest`: SHA-256 over what must be the same for a repeat (path and body; only the path for NDJSON). Of requests with
    /// one key at one time, on any hubs, exactly one is new.
    package static func claim(
        account: Int64, key: UInt128, digest: [UInt8], proposed: MintRequest, on connection: PostgresConnection
    ) throws -> Claim {
        let time = StoreTime(nanoseconds: proposed.firstSentAt)
        // The second round is for a key that retention removes between claim and find.
        for _ in 0..<2 {
            let claimed = try connection.query(
                EmbeddedSQL.mintRequestClaim,
                [.int64(account), .uuid(key), .bytes(digest), .timestamp(time.microseconds), .int16(time.nanos)])
            if claimed.count == 1 { return .new(proposed) }
            let found = try connection.query(
                EmbeddedSQL.mintRequestFind, [.int64(account), .uuid(key), .bytes(digest)])
            guard found.count == 1 else { continue }
            guard try found.bool(0, 2) else { return .conflict }
            let first = StoreTime(microseconds: try found.timestamp(0, 0), nanos: Int16(try found.int64(0, 1)))
            guard let nanoseconds = first.nanoseconds else {
                throw StoreError(.inconsistent, "a mint request with a time outside 64 bits")
            }
            return .repeated(MintRequest(firstSentAt: nanoseconds))
        }
        throw StoreError(.inconsistent, "a mint request that is neither free nor there")
    }
}
