import HubLinks
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct LogSecrecyTests {
    /// Whatever devices and senders send, no token of theirs appears in the log.
    @Test func keepsTokensOut() async throws {
        try await RunningHub.run(configure: { $0.logLevel = .debug }) { hub async throws in
            let target = try hub.target(.open, hub.message())
            let token = String(target.dropFirst("/open/".count))
            _ = try await hub.get(target)
            _ = try await hub.get(target + "x")
            _ = try await hub.get("/v1/messages/\(token)", ["Authorization: Bearer ackhub_\(token)"])
            _ = try await hub.get("/v1/reports/campaigns", ["Authorization: Bearer ackhub_\(token)"])
            _ = try await hub.exchange("PUT", target)
            try await onThread { hub.hub.reload() }
            try await hub.drain()
            #expect(hub.log.all.count >= 3)
            #expect(!hub.log.text.contains(token.prefix(20)))
        }
    }
}
