import EventSpool
import EventStore
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// A 2xx means that the event is on disk.
@Suite(.blocking)
struct DurabilityTests {
    /// No answer leaves before the sync returns; then all that shared it are answered.
    @Test func holdsAnswersUntilTheSync() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files) { hub async throws in
            let targets = try (0..<8).map { try hub.target(.ack, hub.message(Int64($0))) }
            files.closeGate()
            defer { files.openGate() }
            try await onThread {
                let connections = try targets.map { target in
                    let connection = try DeviceConnection(port: hub.publicPort)
                    try connection.send(DeviceConnection.request("GET", target))
                    return connection
                }
                #expect(waitUntil { files.waitingCount > 0 && hub.hub.devices.metrics.waiting == 8 })
                for connection in connections { #expect(!connection.hasInput(milliseconds: 20)) }
                #expect(hub.hits(.ack, .human) == 0)
                files.openGate()
                for connection in connections { #expect(try connection.read().status == 204) }
            }
            #expect(hub.hits(.ack, .human) == 8)
            #expect(hub.hub.spool.metrics.recordsAppended == 8)
        }
    }

    /// A client that went away while its hit waited costs its neighbours nothing.
    @Test func survivesClientsThatLeave() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files) { hub async throws in
            let targets = try (0..<6).map { try hub.target(.ack, hub.message(Int64($0))) }
            files.closeGate()
            defer { files.openGate() }
            try await onThread {
                var connections: [DeviceConnection] = []
                for target in targets {
                    let connection = try DeviceConnection(port: hub.publicPort)
                    try connection.send(DeviceConnection.request("GET", target))
                    connections.append(connection)
                }
                #expect(waitUntil { hub.hub.devices.metrics.waiting == 6 })
                let stayed = [connections[1], connections[4]]
                connections = []
                files.openGate()
                for connection in stayed { #expect(try connection.read().status == 204) }
                #expect(waitUntil { hub.hits(.ack, .human) == 6 })
            }
        }
    }

    /// A hit that is refused at once gets its own answer, not that of one that still waits: 204 for what is on disk, 503
    /// for what is not.
    @Test func refusesOnlyWhatIsNotTaken() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files, configure: { $0.loopCount = 1 }) { hub async throws in
            let targets = try (0..<3).map { try hub.target(.ack, hub.message(Int64($0))) }
            files.closeGate()
            async let closed: Void = onThread {
                _ = waitUntil { hub.hub.devices.metrics.waiting == 2 }
                hub.hub.spool.close()
            }
            try await onThread {
                defer { files.openGate() }
                let connections = try targets.map { _ in try DeviceConnection(port: hub.publicPort) }
                for index in 0..<2 {
                    try connections[index].send(DeviceConnection.request("GET", targets[index]))
                    #expect(waitUntil { files.waitingCount > 0 && hub.hub.devices.metrics.waiting == index + 1 })
                }
                #expect(waitUntil { hub.hub.spool.refusal == .closed })
                #expect(try connections[2].exchange("GET", targets[2]).status == 503)
                for connection in connections[..<2] { #expect(!connection.hasInput(milliseconds: 0)) }
                files.openGate()
                for connection in connections[..<2] { #expect(try connection.read().status == 204) }
            }
            try await closed
            #expect(hub.hub.spool.metrics.recordsAppended == 2)
            #expect(hub.hits(.ack, .human) == 2)
        }
    }

    /// A failed sync is told to the devices that waited for it, to those that come later and to /readyz.
    @Test func refusesAfterAFailedSync() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files) { hub async throws in
            #expect(try await hub.get(hub.target(.ack, hub.message(1))).status == 204)
            files.breakSyncs()
            for index in 2...3 {
                let response = try await hub.get(hub.target(.ack, hub.message(Int64(index))))
                #expect(response.status == 503)
                #expect(response.headers["retry-after"] == "5")
            }
            let ready = try await hub.admin("/readyz")
            #expect(ready.status == 503)
            #expect(ready.text.contains("spool_failed"))
            #expect(try await hub.metrics()["ackhub_refused_hits_total{reason=\"failed\"}"] == 2)
        }
    }
}
