import EventStore
import Foundation
import HubLinks
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// SIGHUP: keys change while devices call (T31).
@Suite(.blocking)
struct KeyRotationTests {
    /// After a rotation old links still open and new ones do; a retired key's links are gone, with a metric of their own.
    @Test func opensOldAndNewLinks() async throws {
        try await RunningHub.run { hub async throws in
            let old = try hub.target(.open, hub.message(1))
            var ring = try KeyRing(contentsOf: hub.keysFile)
            try ring.rotate(createdAt: 2)
            try ring.write(to: hub.keysFile, replacing: true)
            let new = try hub.target(.open, hub.message(2))
            #expect(try await hub.get(old).status == 204)
            #expect(try await hub.get(new).status == 404)
            try await onThread { hub.hub.reload() }
            #expect(try await hub.get(old).status == 204)
            #expect(try await hub.get(new).status == 204)
            #expect(hub.hub.services.keyRing.entries.count == 2)

            let oldest = try #require(ring.entries.first { $0.state == .accepted })
            try ring.retire(id: oldest.id)
            try ring.write(to: hub.keysFile, replacing: true)
            try await onThread { hub.hub.reload() }
            #expect(try await hub.get(old).status == 404)
            #expect(try await hub.get(new).status == 204)
            #expect(hub.hub.devices.metrics.damaged[.retiredKey] == 1)
            #expect(hub.hub.devices.metrics.damaged[.unknownKey] == 1)
        }
    }

    /// An open connection sees the new ring too.
    @Test func reachesOpenConnections() async throws {
        try await RunningHub.run { hub async throws in
            var ring = try KeyRing(contentsOf: hub.keysFile)
            try ring.rotate(createdAt: 2)
            try ring.write(to: hub.keysFile, replacing: true)
            let target = try hub.target(.open, hub.message())
            try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                #expect(try connection.exchange("GET", target).status == 404)
                hub.hub.reload()
                #expect(try connection.exchange("GET", target).status == 204)
            }
        }
    }

    /// A bad file leaves the old ring in place, and the log says so.
    @Test func keepsTheOldRing() async throws {
        try await RunningHub.run { hub async throws in
            let target = try hub.target(.open, hub.message())
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: hub.keysFile))
            try await onThread { hub.hub.reload() }
            #expect(try await hub.get(target).status == 204)
            #expect(hub.log.all.contains { $0.contains("\"error\"") && $0.contains("the old one stays") })
        }
    }
}
