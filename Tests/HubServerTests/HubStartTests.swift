import EventStore
import Foundation
import HTTPFrontEnd
import HubLinks
import MessageIDs
import Postgres
import TestSupport
import Testing

@testable import HubServer

/// A hub that can't do its work does not start, and says what is wrong.
@Suite(.blocking)
struct HubStartTests {
    private func error(_ configuration: HubConfiguration) async -> HubError? {
        do {
            try await onThread {
                let hub = try Hub(configuration, log: LogCollector().log())
                defer { hub.drain() }
                try hub.start()
            }
            return nil
        } catch { return error as? HubError }
    }

    private func configuration(_ folder: TemporaryFolder) throws -> HubConfiguration {
        try KeyRing(createdAt: 1).write(to: folder.file("keys.json"), replacing: true)
        return RunningHub.configuration(database: nil, folder: folder)
    }

    /// A key ring that others can read, or that is none, is refused by name.
    @Test func refusesABadKeyRing() async throws {
        let folder = TemporaryFolder()
        let configuration = try self.configuration(folder)
        #expect(chmod(folder.file("keys.json"), 0o644) == 0)
        let open = await self.error(configuration)
        #expect(open?.code == .keys && open?.description.contains("ACKHUB_KEYS_FILE") == true)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("keys.json")))
        #expect(await self.error(configuration)?.code == .keys)
        try FileManager.default.removeItem(atPath: folder.file("keys.json"))
        #expect(await self.error(configuration)?.code == .keys)
    }

    /// Two hubs never share a spool.
    @Test func refusesASpoolInUse() async throws {
        let folder = TemporaryFolder()
        try await RunningHub.run(in: folder) { hub async throws in
            let error = await self.error(hub.hub.configuration)
            #expect(error?.code == .spool && error?.description.contains("ACKHUB_SPOOL_DIR") == true)
        }
    }

    /// A schema that lacks a migration, or has one of another text, is refused, and not taken for a database that is away.
    @Test(arguments: [
        "delete from ackhub.schema_migration where number = 8", "update ackhub.schema_migration set checksum = ''",
    ])
    func refusesAnotherSchema(_ tampering: String) async throws {
        let folder = TemporaryFolder()
        let database = try await makeMigratedDatabase()
        try await onThread {
            try PostgresConnection(PostgresConfiguration(connection: database.url)).execute(tampering)
        }
        var configuration = try self.configuration(folder)
        configuration.databaseURL = database.url
        let error = await self.error(configuration)
        #expect(error?.code == .schema && error?.description.contains("migration") == true)
    }

    /// A port that is taken stops the start; the hub leaves nothing behind, so the next try works.
    @Test func refusesATakenPort() async throws {
        let folder = TemporaryFolder()
        try await RunningHub.run { other in
            var configuration = try self.configuration(folder)
            // The admin listener has one loop and no SO_REUSEPORT partner of ours.
            configuration.listen = other.hub.adminAddresses
            let error = await self.error(configuration)
            #expect(error?.code == .listen)
            configuration.listen = [SocketAddress(text: "127.0.0.1:0")!]
            #expect(await self.error(configuration) == nil)
        }
    }
}
