import EventStore
import Postgres
import Synchronization

/// Knows who asks: `Authorization: Bearer <token>` to an account and its scopes, through a bounded cache.
///
/// Tokens live in PostgreSQL (hashes only). A known token is asked for once a minute, an unknown one once in five seconds.
/// While PostgreSQL is away a token that it confirmed within the last hour stays good, so that minting goes on; a revoked
/// token therefore lasts a minute at most, or an hour when the database is lost at that very time.
final class Authenticator: Sendable {
    typealias Find = @Sendable (_ token: String) async throws -> TokenGrant?

    static let freshNanoseconds: UInt64 = 60_000_000_000
    static let unknownNanoseconds: UInt64 = 5_000_000_000
    /// While one request looks a token up again, or after PostgreSQL failed it, the others go on with what is known.
    static let retryNanoseconds: UInt64 = 5_000_000_000
    static let staleNanoseconds: UInt64 = 3_600_000_000_000
    static let tokenBytesMax = 256
    static let cachedMax = 10_000

    private struct Known: Sendable {
        var grant: TokenGrant
        /// When PostgreSQL last said so.
        var confirmedAt: UInt64
        /// When to ask it again.
        var askAt: UInt64
    }

    private struct State: Sendable {
        var known = RecentCache<SHA256Digest, Known>(capacity: Authenticator.cachedMax)
        /// Tokens that PostgreSQL does not know, with the time until which it is not asked again. Apart from the known
        /// ones, so that a flood of wrong tokens pushes no right one out.
        var unknown = RecentCache<SHA256Digest, UInt64>(capacity: Authenticator.cachedMax)
    }

    private enum Verdict {
        case known(TokenGrant)
        case unknown
        /// Ask PostgreSQL; `stale` holds if it cannot answer.
        case ask(stale: TokenGrant?)
    }

    private let find: Find
    private let now: @Sendable () -> UInt64
    private let counters: APICounters
    private let state = Mutex(State())

    init(find: @escaping Find, now: @escaping @Sendable () -> UInt64, counters: APICounters) {
        self.find = find
        self.now = now
        self.counters = counters
    }

    convenience init(services: HubServices, counters: APICounters) {
        let pool = services.pool
        self.init(
            find: { token in try await pool.run { try Tokens.find(token, on: $0) } }, now: services.now,
            counters: counters)
    }

    /// Who the header's token stands for; 401 without or with a bad one, 503 when nobody can tell.
    func grant(authorization: String?) async throws -> TokenGrant {
        guard let authorization else { throw Problem.missingToken }
        guard let token = Self.bearerToken(in: authorization) else { throw Problem.invalidToken }
        return try await self.grant(token: token)
    }

    /// As `grant(authorization:)`, for a token that came elsewhere: in a body, a query or behind another scheme.
    func grant(token: String) async throws -> TokenGrant {
        guard Self.isToken(token.utf8) else { throw Problem.invalidToken }
        let digest = SHA256Digest(Array(token.utf8))
        switch self.verdict(on: digest) {
        case .known(let grant):
            self.counters.update { $0.tokenCacheHits += 1 }
            return grant
        case .unknown:
            self.counters.update { $0.tokenCacheHits += 1 }
            throw Problem.invalidToken
        case .ask(let stale):
            return try await self.ask(token, digest, stale: stale)
        }
    }

    /// RFC 6750 section 2.1: the scheme in any case, one or more spaces, a token of visible ASCII.
    static func bearerToken(in authorization: String) -> String? {
        let bytes = authorization.utf8
        guard bytes.prefix(7).map({ $0 | 0x20 }).elementsEqual("bearer ".utf8) else { return nil }
        return String(decoding: bytes.dropFirst(7).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    private static func isToken(_ text: String.UTF8View) -> Bool {
        !text.isEmpty && text.count <= Self.tokenBytesMax && text.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private func verdict(on digest: SHA256Digest) -> Verdict {
        let now = self.now()
        return self.state.withLock { state in
            if let known = state.known[digest] {
                guard now < known.confirmedAt + Self.staleNanoseconds else { return .ask(stale: nil) }
                if now < known.askAt { return .known(known.grant) }
                // Whoever finds it due asks; the next to come finds it asked for.
                state.known[digest]?.askAt = now + Self.retryNanoseconds
                return .ask(stale: known.grant)
            }
            if let until = state.unknown[digest], now < until { return .unknown }
            return .ask(stale: nil)
        }
    }

    private func ask(_ token: String, _ digest: SHA256Digest, stale: TokenGrant?) async throws -> TokenGrant {
        self.counters.update { $0.tokenLookups += 1 }
        let answer: TokenGrant?
        do {
            answer = try await self.find(token)
        } catch let error as PostgresError where error.meansAway {
            guard let stale else { throw error }
            self.counters.update { $0.tokensUsedStale += 1 }
            return stale
        }
        let now = self.now()
        self.state.withLock { state in
            if let grant = answer {
                state.known[digest] = Known(grant: grant, confirmedAt: now, askAt: now + Self.freshNanoseconds)
                state.unknown[digest] = nil
            } else {
                state.known[digest] = nil
                state.unknown[digest] = now + Self.unknownNanoseconds
            }
        }
        guard let answer else { throw Problem.invalidToken }
        return answer
    }
}
