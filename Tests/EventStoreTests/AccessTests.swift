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

    /// A key is found by its account until it is revoked, and its id is not given again.
    @Test func keyIsFoundUntilRevoked() throws {
        let store = try Store()
        let key = JWTKey(
            account: 3, id: "kid", algorithm: .hs256, material: [UInt8](repeating: 0, count: 32), audience: "hub")
        let other = JWTKey(
            account: 4, id: "kid", algorithm: .es256, material: [UInt8](repeating: 1, count: 91), issuer: "ü")
        #expect(try JWTKeys.add(key, name: "app", on: store.connection) == .added)
        #expect(try JWTKeys.add(key, name: "app", on: store.connection) == .idTaken)
        #expect(try JWTKeys.add(other, name: "", on: store.connection) == .added)
        #expect(try JWTKeys.active(account: 3, on: store.connection) == [key])
        #expect(try JWTKeys.active(account: 4, on: store.connection) == [other])
        #expect(try JWTKeys.active(account: 5, on: store.connection) == [])
        let listed = try JWTKeys.list(account: 3, on: store.connection)
        #expect(listed.map(\.name) == ["app"] && listed[0].audience == "hub" && listed[0].issuer == nil)
        #expect(listed[0].revokedAt == nil)
        #expect(try JWTKeys.list(account: nil, on: store.connection).count == 2)
        #expect(try !JWTKeys.revoke(account: 3, id: "kid2", on: store.connection))
        #expect(try JWTKeys.revoke(account: 3, id: "kid", on: store.connection))
        #expect(try !JWTKeys.revoke(account: 3, id: "kid", on: store.connection))
        #expect(try JWTKeys.active(account: 3, on: store.connection) == [])
        #expect(try JWTKeys.list(account: 3, on: store.connection)[0].revokedAt != nil)
        #expect(try JWTKeys.add(key, name: "again", on: store.connection) == .idTaken)
    }

    /// Sixteen keys of an account, whoever adds them at the same time; a revoked one makes room.
    @Test func keysAreFew() throws {
        let store = try Store()
        let database = store.database
        let additions = Collected<JWTKeys.Addition>()
        let material = [UInt8](repeating: 0, count: 32)
        DispatchQueue.concurrentPerform(iterations: 20) { number in
            do {
                let connection = try PostgresConnection(PostgresConfiguration(connection: database.url))
                let key = JWTKey(account: 1, id: "\(number)", algorithm: .hs256, material: material)
                additions.append([try JWTKeys.add(key, name: "", on: connection)])
            } catch {
                Issue.record(error)
            }
        }
        #expect(additions.all.count { $0 == .added } == 16 && additions.all.count { $0 == .tooMany } == 4)
        let active = try JWTKeys.active(account: 1, on: store.connection)
        #expect(active.count == 16)
        #expect(try JWTKeys.revoke(account: 1, id: active[0].id, on: store.connection))
        let late = JWTKey(account: 1, id: "late", algorithm: .hs256, material: material)
        #expect(try JWTKeys.add(late, name: "", on: store.connection) == .added)
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
