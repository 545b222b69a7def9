import EventStore
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// PostgreSQL's troubles are not the devices' (T33, T34).
@Suite(.blocking)
struct DatabaseOutageTests {
    /// The hub starts and accepts while PostgreSQL is away, refuses when the spool is full, and recovers by itself.
    @Test func acceptsWithoutADatabaseAndRecovers() async throws {
        let server = try await onThread { try TestPostgres.startPrivate() }
        let database = try await makeMigratedDatabase(on: server)
        try await onThread { try server.stop(mode: .fast) }
        try await RunningHub.run(database: database.url, configure: { $0.spoolBytesMax = 1 << 20 }) {
            hub async throws in
            let ready = try await hub.admin("/readyz")
            #expect(ready.status == 200)
            #expect(ready.text.contains("\"connected\":false"))

            let accepted = try await Self.hitUntilFull(hub)
            #expect(accepted > 1_000)
            let full = try await hub.admin("/readyz")
            #expect(full.status == 503)
            #expect(full.text.contains("spool_full"))
            let metrics = try await hub.metrics()
            #expect(metrics["ackhub_refused_hits_total{reason=\"full\"}"]! >= 1)
            #expect(metrics["ackhub_spool_not_loaded_bytes"]! > 900_000)
            #expect(metrics["ackhub_loader_connected"] == 0)

            try await onThread { try server.start() }
            try await hub.settle()
            #expect(try await eventually { hub.hub.loader.loader.metrics.events == UInt64(accepted) })
            let target = try hub.target(.open, hub.message(7))
            #expect(try await eventually { try await hub.get(target).status == 204 })
            #expect(try await hub.admin("/readyz").text.contains("\"connected\":true"))
        }
    }

    /// Hits one after the other until a 503 comes; how many were accepted.
    private static func hitUntilFull(_ hub: RunningHub) async throws -> Int {
        let agent = "User-Agent: " + String(repeating: "x", count: 500)
        let targets = try (0..<100).map { try hub.target(.ack, hub.message(Int64($0))) }
        return try await onThread {
            let connection = try DeviceConnection(port: hub.publicPort)
            var accepted = 0
            for _ in 0..<100 {
                try connection.send(targets.map { DeviceConnection.request("GET", $0, [agent]) }.joined())
                var refused = 0
                for _ in targets {
                    let response = try connection.read()
                    switch response.status {
                    case 204: accepted += 1
                    default:
                        #expect(response.status == 503)
                        #expect(response.headers["retry-after"] == "5")
                        refused += 1
                    }
                }
                if refused > 0 { return accepted }
            }
            return accepted
        }
    }

    /// A database without the schema stops the start, with the advice what to do.
    @Test func refusesToStartWithoutTheSchema() async throws {
        let database = try await onThread { try TestPostgres.shared.makeDatabase() }
        let error = await #expect(throws: HubError.self) {
            try await RunningHub.run(database: database.url) { _ in }
        }
        #expect(error?.code == .schema)
        #expect(error?.description.contains("ackhub migrate") == true)
    }

    /// The schema of a database that was away at the start is looked at when it is back: nothing is loaded before.
    @Test func looksAtTheSchemaLater() async throws {
        let server = try await onThread { try TestPostgres.startPrivate() }
        let database = try await onThread { try server.makeDatabase() }
        try await onThread { try server.stop(mode: .fast) }
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message()
            #expect(try await hub.get(hub.target(.ack, message)).status == 204)
            try await onThread { try server.start() }
            #expect(try await eventually { hub.log.text.contains("ackhub migrate") })
            #expect(try await hub.admin("/readyz").text.contains("\"schema\":\"pending\""))
            try await onThread {
                _ = try Migrations.apply(on: PostgresConnection(PostgresConfiguration(connection: database.url)))
            }
            #expect(try await hub.stored(message)?.ackedAt != nil)
        }
    }
}
