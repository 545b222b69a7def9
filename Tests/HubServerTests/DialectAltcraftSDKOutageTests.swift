import EventSpool
import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// What phones with Altcraft's SDKs get while the hub can't do all: a 5xx in JSON, which they repeat, never a 4xx.
@Suite(.blocking)
struct DialectAltcraftSDKOutageTests {
    private static func expectUnavailable(_ response: DeviceResponse) throws {
        #expect(response.status == 503)
        #expect(response.headers["retry-after"] == "5")
        #expect(response.headers["content-type"] == "application/json")
        #expect(try JSONValue(parsing: response.body.span.bytes)["error"]?.int64 == 503)
    }

    /// Without PostgreSQL the credentials of the last hour still count, of both kinds; others are put off.
    @Test func acceptsWithoutPostgreSQL() async throws {
        let server = try await onThread { try TestPostgres.startPrivate() }
        let database = try await makeMigratedDatabase(on: server)
        try await RunningHub.run(database: database.url) { hub async throws in
            try await hub.addKey(TokenSigner.mac.key())
            let role = try await hub.roleToken()
            let web = "Bearer " + (try TokenSigner.mac.token("{}"))
            let foreign = "Bearer " + (try TokenSigner(secret: [UInt8](repeating: 9, count: 32)).token("{}"))
            for credential in [role, web] {
                #expect(try await hub.report(.ack, hub.message(1), authorization: credential).status == 200)
            }
            try await hub.settle()
            try await onThread { try server.stop(mode: .fast) }

            for (index, credential) in [role, web].enumerated() {
                #expect(
                    try await hub.report(.open, hub.message(Int64(2 + index)), authorization: credential).text
                        == RunningHub.success)
            }
            try Self.expectUnavailable(try await hub.report(.ack, hub.message(), authorization: role + "x"))
            try Self.expectUnavailable(try await hub.report(.ack, hub.message(account: 2), authorization: web))
            // Its key may have been added since, for all that the hub can tell by now.
            hub.advanceClock(seconds: 1_800)
            try Self.expectUnavailable(try await hub.report(.ack, hub.message(), authorization: foreign))
            #expect(try await hub.report(.ack, hub.message(4), authorization: web).status == 200)

            try await onThread { try server.start() }
            try await hub.settle()
            #expect(hub.hub.loader.loader.metrics.events == 5)
        }
    }

    /// A spool without room: the SDK is to come again.
    @Test func refusesWhatItCannotKeep() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let role = try await hub.roleToken()
            #expect(try await hub.report(.ack, hub.message(), authorization: role).status == 200)
            hub.hub.spool.close()
            try Self.expectUnavailable(try await hub.report(.ack, hub.message(), authorization: role))
        }
    }
}
