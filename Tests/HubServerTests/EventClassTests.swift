import EventStore
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// Who caused a hit: stored, counted, never dropped.
@Suite(.blocking)
struct EventClassTests {
    private static let browser = "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0 Safari/537.36"

    /// Fields and user agents decide the class (T18).
    @Test(arguments: [
        ("Sec-Purpose: prefetch", EventClass.prefetch), ("sec-purpose: prefetch;prerender", .prefetch),
        ("Purpose: prefetch", .prefetch), ("Purpose: preview", .prefetch), ("X-Purpose: preview", .prefetch),
        ("X-Moz: prefetch", .prefetch), ("User-Agent: Googlebot/2.1", .bot),
        ("User-Agent: Mozilla/5.0 (via ggpht.com GoogleImageProxy)", .proxy), ("User-Agent: okhttp/4.12.0", .human),
        ("Purpose: reading", .human), ("X-Nothing: prefetch", .human),
    ])
    func classifies(field: String, expected: EventClass) async throws {
        try await RunningHub.run { hub async throws in
            let status = try await hub.get(hub.target(.open, hub.message()), [field]).status
            #expect(status == 204)
            #expect(hub.hits(.open, expected) == 1)
        }
    }

    /// A browser that opens five messages' links within a second is suspect from the fifth on (T15); all are answered alike.
    @Test func suspectsScanners() async throws {
        try await RunningHub.run { hub async throws in
            let targets = try (0..<8).map { try hub.target(.open, hub.message(Int64($0))) }
            try await Self.pipeline(hub, targets, [Self.browser])
            #expect(hub.hits(.open, .human) == 4)
            #expect(hub.hits(.open, .suspect) == 4)
        }
    }

    /// Acks are never suspect, however fast and whoever sends them (T17).
    @Test func neverSuspectsAcks() async throws {
        try await RunningHub.run { hub async throws in
            let targets = try (0..<20).map { try hub.target(.ack, hub.message(Int64($0))) }
            try await Self.pipeline(hub, targets, [Self.browser])
            try await Self.pipeline(hub, targets, ["User-Agent: MyApp/42 CFNetwork/1490.0.4 Darwin/23.2.0"])
            #expect(hub.hits(.ack, .human) == 40)
        }
    }

    /// A thousand devices behind one address are a thousand people: none refused, none suspect (T42).
    @Test func servesAThousandDevicesBehindOneAddress() async throws {
        try await RunningHub.run { hub async throws in
            let acks = try (0..<1_000).map { try hub.target(.ack, hub.message(Int64($0))) }
            let opens = try (0..<1_000).map { try hub.target(.open, hub.message(Int64($0))) }
            try await Self.pipeline(hub, acks, ["User-Agent: okhttp/4.12.0"])
            try await Self.pipeline(hub, opens, ["User-Agent: MyApp/42 CFNetwork/1490.0.4 Darwin/23.2.0"])
            #expect(hub.hits(.ack, .human) == 1_000)
            #expect(hub.hits(.open, .human) == 1_000)
        }
    }

    private static func pipeline(_ hub: RunningHub, _ targets: [String], _ fields: [String]) async throws {
        try await onThread {
            let connection = try DeviceConnection(port: hub.publicPort)
            for start in stride(from: 0, to: targets.count, by: 50) {
                let part = targets[start..<min(start + 50, targets.count)]
                try connection.send(part.map { DeviceConnection.request("GET", $0, fields) }.joined())
                for _ in part { #expect(try connection.read().status == 204) }
            }
        }
    }
}
