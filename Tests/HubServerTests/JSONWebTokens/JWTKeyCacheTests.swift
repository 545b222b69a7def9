import Postgres
import Synchronization
import TestSupport
import Testing

@testable import EventStore
@testable import HubServer

/// How often PostgreSQL is asked for an account's keys, and what holds while it is away.
@Suite(.blocking)
struct JWTKeyCacheTests {
    /// An account with keys is asked for once a minute, one without once in five seconds.
    @Test func asksOnceAMinute() async throws {
        let directory = try Directory()
        for _ in 0..<50 { #expect(try await directory.cache.keys(of: 1).map(\.id) == ["k"]) }
        for _ in 0..<50 { #expect(try await directory.cache.keys(of: 2).isEmpty) }
        #expect(directory.lookups == [1, 2])
        directory.advance(seconds: 5)
        #expect(try await directory.cache.keys(of: 2).isEmpty)
        directory.advance(seconds: 54)
        _ = try await directory.cache.keys(of: 1)
        #expect(directory.lookups == [1, 2, 2])
        directory.advance(seconds: 1)
        _ = try await directory.cache.keys(of: 1)
        #expect(directory.lookups == [1, 2, 2, 1])
    }

    /// A revoked key is gone within a minute, an added one is found by the token that needs it, once in five seconds.
    @Test func noticesChanges() async throws {
        let directory = try Directory()
        _ = try await directory.cache.keys(of: 1)
        directory.keys.withLock { $0[1]![0].id = "new" }
        #expect(try await directory.cache.newerKeys(of: 1) == nil)
        directory.advance(seconds: 5)
        #expect(try await directory.cache.newerKeys(of: 1)?.map(\.id) == ["new"])
        #expect(try await directory.cache.newerKeys(of: 1) == nil)
        directory.keys.withLock { $0[1] = nil }
        directory.advance(seconds: 60)
        #expect(try await directory.cache.keys(of: 1).isEmpty)
        #expect(try await directory.cache.newerKeys(of: 1) == nil)
        #expect(directory.lookups.count == 3)
    }

    /// While PostgreSQL is away, keys seen within the hour hold; whether others exist nobody can tell.
    @Test func bridgesALostDatabaseForAnHour() async throws {
        let directory = try Directory()
        _ = try await directory.cache.keys(of: 1)
        directory.isAway.withLock { $0 = true }
        directory.advance(seconds: 61)
        for _ in 0..<10 { #expect(try await directory.cache.keys(of: 1).count == 1) }
        #expect(directory.lookups.count == 2)
        // A refusal would be final.
        await #expect(throws: DialectRefusal.self) { try await directory.cache.newerKeys(of: 1) }
        directory.advance(seconds: 5)
        await #expect(throws: PostgresError.self) { try await directory.cache.newerKeys(of: 1) }
        await #expect(throws: PostgresError.self) { try await directory.cache.keys(of: 3) }
        #expect(directory.counters.snapshot.keysUsedStale == 1)

        directory.advance(seconds: 3_600)
        await #expect(throws: PostgresError.self) { try await directory.cache.keys(of: 1) }
        directory.isAway.withLock { $0 = false }
        #expect(try await directory.cache.keys(of: 1).count == 1)
    }

    /// However many accounts somebody makes up, few are looked up at a time; a known one is served all the while.
    @Test func boundsLookups() async throws {
        let directory = try Directory()
        _ = try await directory.cache.keys(of: 1)
        directory.gate.withLock { $0 = [] }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for account in 100..<400 {
                group.addTask {
                    do {
                        return try await directory.cache.keys(of: Int64(account)).isEmpty
                    } catch let refusal as DialectRefusal {
                        #expect(refusal.reason == .unavailable)
                        return false
                    }
                }
            }
            let refusedMin = UInt64(300 - JWTKeyCache.lookupsMax)
            #expect(try await eventually { directory.counters.snapshot.keyLookupsRefused == refusedMin })
            #expect(directory.lookups.count == 1 + JWTKeyCache.lookupsMax)
            #expect(try await directory.cache.keys(of: 1).count == 1)
            directory.openGate()
            let answered = try await group.reduce(into: 0) { if $1 { $0 += 1 } }
            #expect(answered == JWTKeyCache.lookupsMax)
        }
    }

    /// Many phones of one account at once are one question.
    @Test func sharesALookup() async throws {
        let directory = try Directory()
        directory.gate.withLock { $0 = [] }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await directory.cache.keys(of: 1).count } }
            #expect(try await eventually { directory.gate.withLock { $0?.count } == 1 })
            directory.openGate()
            for try await count in group { #expect(count == 1) }
        }
        #expect(directory.lookups == [1])
    }

    /// Made-up accounts push no known one out.
    @Test func keepsKnownKeysApart() async throws {
        let directory = try Directory()
        _ = try await directory.cache.keys(of: 1)
        for account in 0..<(2 * JWTKeyCache.cachedMax) { _ = try await directory.cache.keys(of: Int64(10 + account)) }
        let lookups = directory.lookups.count
        #expect(try await directory.cache.keys(of: 1).count == 1)
        #expect(directory.lookups.count == lookups)
    }

    /// Keys as PostgreSQL would know them, with a clock, an outage and a gate under the test's hand.
    private final class Directory: Sendable {
        let keys: Mutex<[Int64: [JWTKey]]>
        let isAway = Mutex(false)
        /// Those who wait, while it is shut; nil while it is open.
        let gate = Mutex<[CheckedContinuation<Void, Never>]?>(nil)
        let counters = DialectCounters()
        private let clock = Mutex<UInt64>(1_000_000_000_000_000_000)
        private let asked = Mutex<[Int64]>([])
        private let made = Mutex<JWTKeyCache?>(nil)

        init() throws { self.keys = Mutex([1: [try TokenSigner.mac.key()]]) }

        var lookups: [Int64] { self.asked.withLock { $0 } }

        func advance(seconds: UInt64) { self.clock.withLock { $0 += seconds * 1_000_000_000 } }

        func openGate() {
            let waiting = self.gate.withLock { $0.take() ?? [] }
            for continuation in waiting { continuation.resume() }
        }

        var cache: JWTKeyCache {
            self.made.withLock { made in
                if let made { return made }
                let cache = JWTKeyCache(
                    find: { [unowned self] in try await self.find($0) },
                    now: { [unowned self] in self.clock.withLock { $0 } }, counters: self.counters)
                made = cache
                return cache
            }
        }

        private func find(_ account: Int64) async throws -> [JWTKey] {
            self.asked.withLock { $0.append(account) }
            await withCheckedContinuation { continuation in
                let isOpen = self.gate.withLock { waiting in
                    if waiting == nil { return true }
                    waiting?.append(continuation)
                    return false
                }
                if isOpen { continuation.resume() }
            }
            if self.isAway.withLock({ $0 }) { throw PostgresError(code: .connection, detail: "away") }
            return self.keys.withLock { $0[account] ?? [] }
        }
    }
}
