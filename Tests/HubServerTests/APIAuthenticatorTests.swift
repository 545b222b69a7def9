import Synchronization
import TestSupport
import Testing

@testable import EventStore
@testable import HubServer
@testable import Postgres

@Suite(.blocking)
struct APIAuthenticatorTests {
    private static let second: UInt64 = 1_000_000_000

    /// A known token goes to PostgreSQL once a minute, whatever the rate.
    @Test func asksForAKnownTokenOnceAMinute() async throws {
        let directory = Directory(["good"])
        for _ in 0..<100 { #expect(try await directory.grant("good").account == 7) }
        #expect(directory.lookups == 1)
        directory.advance(seconds: 59)
        _ = try await directory.grant("good")
        #expect(directory.lookups == 1)
        directory.advance(seconds: 1)
        _ = try await directory.grant("good")
        #expect(directory.lookups == 2)
    }

    /// An unknown token goes to PostgreSQL once in five seconds, and works from then on when it was made meanwhile.
    @Test func asksForAnUnknownTokenOnceInFiveSeconds() async throws {
        let directory = Directory([])
        for _ in 0..<10 { #expect(await directory.problem("new") == "invalid_token") }
        #expect(directory.lookups == 1)
        directory.known.withLock { $0 = ["new"] }
        directory.advance(seconds: 4)
        #expect(await directory.problem("new") == "invalid_token")
        directory.advance(seconds: 1)
        #expect(try await directory.grant("new").account == 7)
        #expect(directory.lookups == 2)
    }

    /// A revoked token is refused within a minute.
    @Test func forgetsARevokedToken() async throws {
        let directory = Directory(["good"])
        _ = try await directory.grant("good")
        directory.known.withLock { $0 = [] }
        directory.advance(seconds: 60)
        #expect(await directory.problem("good") == "invalid_token")
    }

    /// While PostgreSQL is away a token seen within the hour works, is tried again every five seconds only, and is refused
    /// with a retriable error after the hour; one never seen gets that error at once.
    @Test func bridgesALostDatabaseForAnHour() async throws {
        let directory = Directory(["good"])
        _ = try await directory.grant("good")
        directory.isAway.withLock { $0 = true }
        directory.advance(seconds: 61)
        for _ in 0..<10 { #expect(try await directory.grant("good").account == 7) }
        #expect(directory.lookups == 2)
        directory.advance(seconds: 5)
        _ = try await directory.grant("good")
        #expect(directory.lookups == 3)
        #expect(directory.counters.snapshot.tokensUsedStale == 2)
        await #expect(throws: PostgresError.self) { try await directory.grant("other") }

        directory.advance(seconds: 3_600)
        await #expect(throws: PostgresError.self) { try await directory.grant("good") }
        await #expect(throws: PostgresError.self) { try await directory.grant("good") }
        directory.isAway.withLock { $0 = false }
        #expect(try await directory.grant("good").account == 7)
    }

    /// A flood of wrong tokens leaves a known one in the cache.
    @Test func keepsKnownTokensApartFromWrongOnes() async throws {
        let directory = Directory(["good"])
        _ = try await directory.grant("good")
        for number in 0..<(2 * Authenticator.cachedMax) { _ = await directory.problem("wrong\(number)") }
        let lookups = directory.lookups
        _ = try await directory.grant("good")
        #expect(directory.lookups == lookups)
    }

    /// What is no bearer token is refused without asking anyone.
    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer  ", "Basic Z29vZA==", "Bearergood", "Bearer go od", "Bearer g\u{F6}od",
        "Bearer " + String(repeating: "a", count: 257), "good",
    ])
    func refusesWhatIsNoBearerToken(authorization: String) async {
        let directory = Directory(["good"])
        let problem = await directory.problem(authorization: authorization)
        #expect(problem?.code == "invalid_token")
        #expect(problem?.status == 401)
        #expect(problem?.headers.contains { $0.name == "WWW-Authenticate" } == true)
        #expect(directory.lookups == 0)
    }

    /// Without the header the answer says how to authenticate; the scheme is read in any case.
    @Test func tellsAMissingHeaderFromABadOne() async throws {
        let directory = Directory(["good"])
        #expect(await directory.problem(authorization: nil)?.code == "missing_token")
        let grant = try await directory.authenticator.grant(authorization: "bEARER   good")
        #expect(grant.account == 7)
    }

    /// Tokens as PostgreSQL would know them, with a clock and an outage under the test's hand.
    private final class Directory: Sendable {
        let known: Mutex<Set<String>>
        let isAway = Mutex(false)
        let counters = APICounters()
        private let clock = Mutex<UInt64>(1_000_000 * APIAuthenticatorTests.second)
        private let asked = Mutex(0)

        init(_ known: Set<String>) {
            self.known = Mutex(known)
        }

        /// Made anew for each call would lose the cache: made once, at the first use.
        private let made = Mutex<Authenticator?>(nil)
        var authenticator: Authenticator {
            self.made.withLock { made in
                if let made { return made }
                let authenticator = Authenticator(
                    find: { [unowned self] token in
                        self.asked.withLock { $0 += 1 }
                        if self.isAway.withLock({ $0 }) { throw PostgresError.away }
                        guard self.known.withLock({ $0.contains(token) }) else { return nil }
                        return TokenGrant(account: 7, scopes: [.mint])
                    }, now: { [unowned self] in self.clock.withLock { $0 } }, counters: self.counters)
                made = authenticator
                return authenticator
            }
        }

        var lookups: Int { self.asked.withLock { $0 } }

        func advance(seconds: UInt64) { self.clock.withLock { $0 += seconds * APIAuthenticatorTests.second } }

        func grant(_ token: String) async throws -> TokenGrant {
            try await self.authenticator.grant(authorization: "Bearer " + token)
        }

        func problem(_ token: String) async -> String? {
            await self.problem(authorization: "Bearer " + token)?.code
        }

        func problem(authorization: String?) async -> Problem? {
            do {
                _ = try await self.authenticator.grant(authorization: authorization)
                return nil
            } catch {
                return error as? Problem
            }
        }
    }
}

extension PostgresError {
    fileprivate static let away = PostgresError(code: .connection, detail: "away")
}
