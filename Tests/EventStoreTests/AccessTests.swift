import Foundation
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// API tokens and idempotency keys.
@Suite(.blocking)
struct AccessTests {
    /// A token opens what it was made for, until it is revoked; the table does not hold it.
    @Test func tokenGrantsUntilRevoked() throws {
        let store = try Store()
        let token = try Tokens.create(account: 3, scopes: [.mint, .report], name: "ci", on: store.connection)
        let other = try Tokens.create(account: 4, scopes: [.admin], name: "", on: store.connection)
        #expect(token.hasPrefix("ackhub_") && token.utf8.count >= 7 + 40 && token != other)
        #expect(
            try Tokens.find(token, on: store.connection) == TokenGrant(account: 3, scopes: [.mint, .report]))
        #expect(try Tokens.find(other, on: store.connection) == TokenGrant(account: 4, scopes: [.admin]))
        #expect(try store.integer("select count(*) from ackhub.api_token t where t::text like '%ackhub_%'") == 0)
        let listed = try Tokens.list(account: 3, on: store.connection)
        #expect(listed.map(\.name) == ["ci"] && listed[0].revokedAt == nil)
        #expect(try Tokens.list(account: nil, on: store.connection).count == 2)
        #expect(try Tokens.revoke(id: listed[0].id, on: store.connection))
        #expect(try !Tokens.revoke(id: listed[0].id, on: store.connection))
        #expect(try Tokens.find(token, on: store.connection) == nil)
        #expect(try Tokens.list(account: 3, on: store.connection)[0].revokedAt != nil)
        #expect(try Tokens.find(other, on: store.connection) != nil)
    }

    /// What is no token finds nothing, whatever it holds.
    @Test(arguments: ["", "ackhub_", "ackhub_\0", "' or true --", "ackhub_" + String(repeating: "2", count: 100)])
    func otherTextsFindNothing(_ text: String) throws {
        let store = try Store()
        _ = try Tokens.create(account: 1, scopes: [.mint], name: "x", on: store.connection)
        #expect(try Tokens.find(text, on: store.connection) == nil)
    }

    /// The first claim is new, its repeat gets the same, another request under the key is a conflict, per account.
    @Test func keyStandsForItsFirstRequest() throws {
        let store = try Store()
        func claim(_ account: Int64, _ key: UInt128, _ digest: UInt8, _ sentAt: UInt64) throws -> MintRequest.Claim {
            try MintRequest.claim(
                account: account, key: key, digest: [UInt8](repeating: digest, count: 32),
                proposed: MintRequest(firstSentAt: sentAt), on: store.connection)
        }
        #expect(try claim(1, 5, 1, .max) == .new(MintRequest(firstSentAt: .max)))
        #expect(try claim(1, 5, 1, 7) == .repeated(MintRequest(firstSentAt: .max)))
        #expect(try claim(1, 5, 2, 7) == .conflict)
        #expect(try claim(2, 5, 2, 7) == .new(MintRequest(firstSentAt: 7)))
        #expect(try claim(1, 6, 2, 1999) == .new(MintRequest(firstSentAt: 1999)))
        #expect(try claim(1, 6, 2, 8) == .repeated(MintRequest(firstSentAt: 1999)))
        try store.connection.execute("update ackhub.mint_request set created_at = now() - interval '24 hours 1 second'")
        #expect(try claim(1, 5, 2, 9) == .new(MintRequest(firstSentAt: 9)))
    }

    /// Of claims at once exactly one is new, and the others get what it got.
    @Test func oneOfManyClaimsIsNew() throws {
        let store = try Store()
        let database = store.database
        let claims = Collected<MintRequest.Claim>()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
                let claim = try MintRequest.claim(
                    account: 1, key: 1, digest: [1], proposed: MintRequest(firstSentAt: UInt64(number)), on: connection)
                claims.append([claim])
            } catch {
                Issue.record(error)
            }
        }
        let new = claims.all.compactMap { if case .new(let request) = $0 { request } else { nil } }
        let repeated = claims.all.compactMap { if case .repeated(let request) = $0 { request } else { nil } }
        #expect(new.count == 1 && repeated.count == 7)
        #expect(repeated.allSatisfy { $0 == new[0] })
    }
}
