import EventStore
import Foundation
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

/// What of a hit arrives in PostgreSQL.
@Suite(.blocking)
struct StoredEventTests {
    /// Address, user agent, class and flags of each hit are those of its request, within what the message's privacy allows.
    @Test func storesWhatPrivacyAllows() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(
            database: database.url, configure: { $0.trustedProxies = [CIDR(text: "127.0.0.0/8")!] }
        ) { hub async throws in
            let cases: [(Privacy, String, String?)] = [
                (.keepAddress, "203.0.113.77", "203.0.113.77"), (.maskAddress, "203.0.113.77", "203.0.113.0"),
                (.maskAddress, "[2001:db8:1:2::3]:443", "2001:db8:1::"), (.maskAddress, "::ffff:1.2.3.4", "1.2.3.0"),
                (.keepAddress, "8.8.8.8, 203.0.113.9, 127.0.0.2", "203.0.113.9"), (.dropAddress, "203.0.113.77", nil),
                (.anonymous, "203.0.113.77", nil),
            ]
            for (index, (privacy, forwarded, address)) in cases.enumerated() {
                var message = hub.message(Int64(index), privacy: privacy)
                if privacy == .anonymous {
                    message.subscription = 0
                    message.profile = ProfileID(0)
                }
                let target = try hub.target(.open, message)
                #expect(
                    try await hub.get(target, ["User-Agent: Test/1", "X-Forwarded-For: \(forwarded)"]).status == 204)
                let event = try #require(try await hub.stored(message)?.events.first)
                #expect(event.address == address)
                #expect(event.userAgent == (address == nil ? nil : "Test/1"))
                #expect(event.kind == .open && event.eventClass == .human && event.dialect == .link)
                #expect(event.flags.isEmpty && event.isFirst)
            }
        }
    }

    /// Without a trusted proxy the peer is the client, whatever it claims (T42).
    @Test func ignoresClaimsOfStrangers() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let message = hub.message()
            let fields = ["X-Forwarded-For: 8.8.8.8", "Forwarded: for=9.9.9.9"]
            #expect(try await hub.get(hub.target(.ack, message), fields).status == 204)
            #expect(try await hub.stored(message)?.events.first?.address == "127.0.0.1")
        }
    }

    /// No user agent spoils a batch (T38): too long, NUL, 0xFF, a lone surrogate, empty. The neighbours are stored too.
    @Test func storesAnyUserAgent() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let agents: [[UInt8]] = [
                Array("first".utf8), [UInt8](repeating: 0x78, count: 10_000), [0x61, 0xFF, 0x62],
                [0x61, 0xED, 0xA0, 0x80, 0x62],
                [], [0x61, 0x00, 0x62, 0x01, 0x63], Array("last ü".utf8),
            ]
            let messages = agents.indices.map { hub.message(Int64($0)) }
            let targets = try messages.map { try hub.target(.ack, $0) }
            try await onThread {
                let connection = try DeviceConnection(port: hub.publicPort)
                for (agent, target) in zip(agents, targets) {
                    try connection.send(
                        Array("GET \(target) HTTP/1.1\r\nHost: hub.test\r\nUser-Agent: ".utf8) + agent
                            + Array("\r\n\r\n".utf8))
                    #expect(try connection.read().status == 204)
                }
            }
            var stored: [String?] = []
            for message in messages {
                let event = try #require(try await hub.stored(message)?.events.first)
                stored.append(event.userAgent)
            }
            #expect(stored[0] == "first")
            #expect(stored[1] == String(repeating: "x", count: 512))
            #expect(stored[2] == "a\u{FFFD}b")
            #expect(stored[3] == "a\u{FFFD}\u{FFFD}\u{FFFD}b")
            #expect(stored[4] == nil || stored[4] == "")
            #expect(stored[5] == "a\u{FFFD}b\u{1}c")
            #expect(stored[6] == "last ü")
            #expect(hub.hub.loader.loader.metrics.quarantined == 0)
        }
    }

    /// A send time over five minutes ahead and a repaired link are told with the event.
    @Test func flagsOddities() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            let minute: UInt64 = 60_000_000_000
            let cases: [(UInt64, String, EventFlags)] = [
                (hub.now + 4 * minute, "", []), (hub.now + 6 * minute, "", .sentAhead),
                (hub.now - minute, "?utm_source=x", .repairedLink), (hub.now - minute, ".gif", []),
            ]
            for (index, (sentAt, tail, flags)) in cases.enumerated() {
                let message = hub.message(Int64(index), sentAt: sentAt)
                #expect(try await hub.get(hub.target(.ack, message) + tail).status / 100 == 2)
                #expect(try await hub.stored(message)?.events.first?.flags == flags)
            }
            #expect(hub.hub.devices.metrics.sentAhead == 1)
        }
    }
}
