import EventStore
import Postgres
import Synchronization

/// The keys of each account's JSON Web Tokens, through a bounded cache in front of PostgreSQL.
///
/// An account's keys are asked for once a minute, an account without keys once in five seconds. While PostgreSQL is away,
/// keys that it confirmed within the last hour stay good. A revoked key therefore lasts a minute at most, or an hour when
/// the database is lost at that very time.
///
/// Anybody can make up a message id of any account, so a flood of them must not reach PostgreSQL: of accounts without known
/// keys, at most `lookupsMax` are looked up at a time. Requests of one account share one look-up.
final class JWTKeyCache: Sendable {
    typealias Find = @Sendable (_ account: Int64) async throws -> [JWTKey]

    static let freshNanoseconds: UInt64 = 60_000_000_000
    /// Nobody asks for the same account again before this, whatever came of the last time.
    static let retryNanoseconds: UInt64 = 5_000_000_000
    static let staleNanoseconds: UInt64 = 3_600_000_000_000
    static let cachedMax = 10_000
    static let lookupsMax = 16

    private typealias Lookup = Task<[JWTVerifyingKey], any Error>

    private struct Known: Sendable {
        var keys: [JWTVerifyingKey]
        /// When PostgreSQL last said so.
        var confirmedAt: UInt64
        /// When it was last asked; later than `confirmedAt` while it answers, or after it failed to.
        var askedAt: UInt64
    }

    private struct State: Sendable {
        var known = RecentCache<Int64, Known>(capacity: JWTKeyCache.cachedMax)
        /// Accounts without a key, with the time until which they are not asked for again. Apart from the known ones, so
        /// that a flood of made-up accounts pushes no real one out.
        var keyless = RecentCache<Int64, UInt64>(capacity: JWTKeyCache.cachedMax)
        /// Look-ups that PostgreSQL has not answered yet, by account.
        var running: [Int64: Lookup] = [:]
    }

    private enum Verdict {
        case known([JWTVerifyingKey])
        /// PostgreSQL is asked; `stale` holds if it can't answer.
        case asked(Lookup, stale: [JWTVerifyingKey]?)
    }

    private let find: Find
    private let now: @Sendable () -> UInt64
    private let counters: DialectCounters
    private let state = Mutex(State())

    init(find: @escaping Find, now: @escaping @Sendable () -> UInt64, counters: DialectCounters) {
        self.find = find
        self.now = now
        self.counters = counters
    }

    convenience init(services: HubServices, counters: DialectCounters) {
        let pool = services.pool
        self.init(
            find: { account in try await pool.run { try JWTKeys.active(account: account, on: $0) } },
            now: services.now, counters: counters)
    }

    /// The account's keys, empty when it has none. Throws what is retriable when nobody can tell.
    func keys(of account: Int64) async throws -> [JWTVerifyingKey] {
        switch try self.verdict(on: account) {
        case .known(let keys): return keys
        case .asked(let lookup, let stale):
            do {
                return try await lookup.value
            } catch let error as PostgresError where error.meansAway {
                guard let stale else { throw error }
                self.counters.update { $0.keysUsedStale += 1 }
                return stale
            }
        }
    }

    /// The account's keys anew, after a token did not fit those that `keys(of:)` gave: one may have been added since. nil
    /// when there is nothing newer to know.
    func newerKeys(of account: Int64) async throws -> [JWTVerifyingKey]? {
        let now = self.now()
        let lookup = try self.state.withLock { state throws(DialectRefusal) -> Lookup? in
            // An account without keys was asked for within five seconds.
            guard let known = state.known[account] else { return nil }
            if let running = state.running[account] { return running }
            guard now >= known.askedAt + Self.retryNanoseconds else {
                // A refusal is final for the phone: not while nobody knows whether a newer key is there.
                guard known.askedAt <= known.confirmedAt else { throw Self.unavailable }
                return nil
            }
            state.known[account]?.askedAt = now
            return self.start(account, &state)
        }
        return try await lookup?.value
    }

    private static let unavailable = DialectRefusal(.unavailable, "The hub can't check the credential at present.")

    private func verdict(on account: Int64) throws(DialectRefusal) -> Verdict {
        let now = self.now()
        return try self.state.withLock { state throws(DialectRefusal) in
            if let known = state.known[account], now < known.confirmedAt + Self.staleNanoseconds {
                let isDue =
                    now >= known.confirmedAt + Self.freshNanoseconds && now >= known.askedAt + Self.retryNanoseconds
                guard isDue else { return .known(known.keys) }
                // Whoever finds it due asks; the next to come finds it asked for.
                state.known[account]?.askedAt = now
                return .asked(self.start(account, &state), stale: known.keys)
            }
            if let until = state.keyless[account], now < until { return .known([]) }
            if let running = state.running[account] { return .asked(running, stale: nil) }
            guard state.running.count < Self.lookupsMax else {
                self.counters.update { $0.keyLookupsRefused += 1 }
                throw Self.unavailable
            }
            return .asked(self.start(account, &state), stale: nil)
        }
    }

    /// The caller holds the lock until the look-up is entered, so that it can't end before.
    private func start(_ account: Int64, _ state: inout State) -> Lookup {
        if let running = state.running[account] { return running }
        let lookup = Task { try await self.ask(account) }
        state.running[account] = lookup
        return lookup
    }

    private func ask(_ account: Int64) async throws -> [JWTVerifyingKey] {
        self.counters.update { $0.keyLookups += 1 }
        let keys: [JWTVerifyingKey]
        do {
            keys = try await self.find(account).map { try JWTVerifyingKey($0) }
        } catch {
            self.state.withLock { $0.running[account] = nil }
            throw error
        }
        let now = self.now()
        self.state.withLock { state in
            // With the answer, in one step: nobody may find neither and ask again.
            state.running[account] = nil
            if keys.isEmpty {
                state.known[account] = nil
                state.keyless[account] = now + Self.retryNanoseconds
            } else {
                state.known[account] = Known(keys: keys, confirmedAt: now, askedAt: now)
                state.keyless[account] = nil
            }
        }
        return keys
    }
}
