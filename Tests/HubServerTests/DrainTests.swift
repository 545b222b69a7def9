import EventSpool
import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// SIGTERM loses nothing (T36).
@Suite(.blocking)
struct DrainTests {
    /// What is in flight is answered, /readyz turns, nobody new is let in, everything is loaded.
    @Test func answersWhatIsInFlight() async throws {
        let database = try await makeMigratedDatabase()
        let files = GatedFiles()
        try await RunningHub.run(database: database.url, files: files) { hub async throws in
            let targets = try (0..<25).map { try hub.target(.open, hub.message(Int64($0))) }
            files.closeGate()
            defer { files.openGate() }
            let connections = try await onThread {
                let connections = try targets.map { target in
                    let connection = try DeviceConnection(port: hub.publicPort)
                    try connection.send(DeviceConnection.request("GET", target))
                    return connection
                }
                #expect(waitUntil { hub.hub.devices.metrics.waiting == 25 })
                return UncheckedBox(connections)
            }
            async let outcome = hub.drain()
            #expect(try await eventually { try await hub.admin("/readyz").status == 503 })
            #expect(try await hub.admin("/readyz").text.contains("draining"))
            #expect(try await eventually { await Self.isRefused(hub) })
            files.openGate()
            try await onThread {
                for connection in connections.value {
                    let status = try connection.read().status
                    #expect(status == 204)
                    #expect(connection.isAtEnd())
                }
            }
            #expect(try await outcome.isDrained)
            #expect(hub.hub.loader.loader.metrics.events == 25)
        }
    }

    /// With PostgreSQL away the drain ends in its time, says what is left, and the next start loads it.
    @Test func leavesTheRestForTheNextStart() async throws {
        let database = try await makeMigratedDatabase()
        let folder = TemporaryFolder()
        var messages: [SendMessageID] = []
        try await RunningHub.run(in: folder, configure: { $0.drainSeconds = 0 }) { hub async throws in
            for index in 0..<10 {
                let message = hub.message(Int64(index))
                messages.append(message)
                #expect(try await hub.get(hub.target(.ack, message)).status == 204)
            }
            let outcome = try await hub.drain()
            #expect(!outcome.isDrained && outcome.bytesLeft > 0)
            #expect(hub.log.all.contains { $0.contains("\"warning\"") && $0.contains("bytes_not_loaded") })
        }
        try await RunningHub.run(database: database.url, in: folder) { hub async throws in
            for message in messages {
                let stored = try await hub.stored(message)
                #expect(stored?.ackedAt != nil)
            }
            #expect(try await eventually { hub.hub.loader.loader.metrics.events == 10 })
        }
    }

    /// A hit that comes on an open connection while the hub drains is refused with 503, to be tried again.
    @Test func refusesNewHits() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files, configure: { $0.drainSeconds = 5 }) { hub async throws in
            let target = try hub.target(.open, hub.message())
            files.closeGate()
            defer { files.openGate() }
            let connection = try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                try connection.send(DeviceConnection.request("GET", target))
                #expect(waitUntil { hub.hub.devices.metrics.waiting == 1 })
                return UncheckedBox(connection)
            }
            // The state alone: the listener goes on, as it does for an instant in a real drain.
            hub.hub.state.advance(to: .draining)
            let response = try await hub.get(target)
            #expect(response.status == 503)
            #expect(response.headers["retry-after"] == "1")
            #expect(try await hub.get("/v1/anything").status == 503)
            files.openGate()
            #expect(try await onThread { try connection.value.read().status } == 204)
            #expect(hub.hub.devices.metrics.refused[.draining] == 1)
            try await onThread {
                hub.hub.present?.open.stop(withinSeconds: 1)
                hub.hub.present?.admin.stop(withinSeconds: 1)
                hub.hub.spool.close()
                _ = hub.hub.loader.stop(withinSeconds: 5)
                hub.hub.services.pool.close()
            }
        }
    }

    /// While the backlog is loaded the process lives, and /healthz says so, though the loops have ended.
    @Test func isHealthyMeanwhile() async throws {
        try await RunningHub.run(configure: { $0.drainSeconds = 3 }) { hub async throws in
            #expect(try await hub.get(hub.target(.ack, hub.message())).status == 204)
            async let outcome = hub.drain()
            #expect(try await eventually { hub.hub.spool.refusal == .closed })
            #expect(try await hub.admin("/healthz").status == 200)
            #expect(try await !outcome.isDrained)
        }
    }

    private static func isRefused(_ hub: RunningHub) async -> Bool {
        let port = hub.publicPort
        return (try? await onThread { _ = try DeviceConnection(port: port) }) == nil
    }
}

/// Hands a connection from one test thread to the next; never two at a time.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
