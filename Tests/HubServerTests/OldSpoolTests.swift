import EventSpool
import EventStore
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// A spool directory that was put back to an older state: a restored snapshot, a disk that lied about its syncs.
@Suite(.blocking)
struct OldSpoolTests {
    /// Its new events are not taken for those that the database has at the same positions: nothing is loaded until the position
    /// is set as the log says, and then each is, once.
    @Test func newEventsAreNotTakenForLoadedOnes() async throws {
        let database = try await makeMigratedDatabase()
        let folder = TemporaryFolder()
        func hit(_ hub: RunningHub, _ subscriptions: ClosedRange<Int64>) async throws {
            for number in subscriptions {
                #expect(try await hub.get(hub.target(.ack, hub.message(number))).status == 204)
            }
        }
        func execute(_ sql: String) async throws {
            try await onThread { try PostgresConnection(PostgresConfiguration(connection: database.url)).execute(sql) }
        }
        try await RunningHub.run(database: database.url, in: folder) { try await hit($0, 1...3) }
        // As if the database had loaded one event more, which the spool does not have.
        try await execute("update ackhub.hub_position set position = position + 50")
        try await RunningHub.run(database: database.url, in: folder, configure: { $0.drainSeconds = 1 }) {
            hub async throws in
            try await hit(hub, 4...8)
            // Connected again after the spool grew past the position.
            let retries = hub.hub.loader.loader.metrics.retries
            #expect(try await eventually { hub.hub.loader.loader.metrics.retries > retries + 1 })
            #expect(hub.hub.loader.loader.loaded == 0)
            #expect(hub.log.text.contains("ackhub.hub_position"))
            try await execute("update ackhub.hub_position set position = \(hub.hub.spool.recovered.offset)")
            try await hub.settle()
            let events = try await hub.hub.services.pool.run { connection in
                try connection.query("select count(*), count(distinct message_key) from ackhub.event_log").int64(0, 0)
            }
            #expect(events == 8)
        }
    }
}
