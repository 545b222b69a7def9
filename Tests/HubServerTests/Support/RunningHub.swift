import EventSpool
import EventStore
import Foundation
import HTTPFrontEnd
import HubLinks
import MessageIDs
import Postgres
import Synchronization
import TestSupport

@testable import HubServer

/// A whole hub for one test: real sockets, a real spool in a temporary folder, and a database where the test has one.
final class RunningHub: Sendable {
    let hub: Hub
    let folder: TemporaryFolder
    let log: LogCollector
    let keysFile: String
    let publicPort: UInt16
    let adminPort: UInt16
    private let offset: ClockOffset

    /// Runs `body` with a hub that is drained afterwards, whatever happens. Without a database the hub finds none: it stays
    /// away.
    static func run(
        database: String? = nil, in folder: TemporaryFolder = TemporaryFolder(), files: (any FileSystem)? = nil,
        configure: @escaping @Sendable (inout HubConfiguration) -> Void = { _ in },
        _ body: (RunningHub) async throws -> Void
    ) async throws {
        let running = try await onThread {
            try RunningHub(database: database, folder: folder, files: files, configure: configure)
        }
        do {
            try await body(running)
        } catch {
            _ = try? await running.drain()
            throw error
        }
        try await running.drain()
    }

    private init(
        database: String?, folder: TemporaryFolder, files: (any FileSystem)?,
        configure: (inout HubConfiguration) -> Void
    ) throws {
        self.folder = folder
        self.log = LogCollector()
        self.keysFile = folder.file("keys.json")
        if !FileManager.default.fileExists(atPath: self.keysFile) {
            try KeyRing(createdAt: 1).write(to: self.keysFile, replacing: false)
        }
        let configuration = Self.configuration(database: database, folder: folder, configure: configure)
        let offset = ClockOffset()
        self.offset = offset
        self.hub = try Hub(configuration, log: self.log.log(), now: { offset.now }, files: files)
        try self.hub.start()
        self.publicPort = self.hub.publicAddresses[0].port
        self.adminPort = self.hub.adminAddresses[0].port
    }

    static func configuration(
        database: String?, folder: TemporaryFolder, configure: (inout HubConfiguration) -> Void = { _ in }
    ) -> HubConfiguration {
        var configuration = HubConfiguration()
        configuration.listen = [SocketAddress(text: "127.0.0.1:0")!]
        configuration.adminListen = [SocketAddress(text: "127.0.0.1:0")!]
        configuration.publicURL = "http://hub.test"
        configuration.databaseURL = database ?? "postgresql://postgres@/none?host=\(folder.path)/nowhere"
        configuration.spoolDirectory = folder.file("spool")
        configuration.keysFile = folder.file("keys.json")
        configuration.drainSeconds = database == nil ? 0 : 10
        configure(&configuration)
        return configuration
    }

    @discardableResult
    func drain() async throws -> Hub.DrainOutcome { try await onThread { self.hub.drain() } }

    /// Moves the hub's clock on (or back).
    func advanceClock(days: Int = 0, seconds: Int = 0) {
        self.offset.add((Int64(days) * 86_400 + Int64(seconds)) * 1_000_000_000)
    }
    var now: UInt64 { self.offset.now }

    /// A message sent now, but for what is given.
    func message(
        _ subscription: Int64 = 43, account: Int64 = 1, sentAt: UInt64? = nil, privacy: Privacy = .keepAddress
    ) -> SendMessageID {
        let sentAt = sentAt ?? self.now
        return SendMessageID(
            account: account, campaign: 7, resource: 5, channel: .push, subscription: subscription,
            profile: ProfileID(UInt128(subscription)), sentAt: sentAt, launchedAt: sentAt - 1_000_000,
            provider: Provider(rawValue: 1), isTest: false, privacy: privacy)
    }

    /// The request target of a link, minted with the key ring's file as it is now.
    func target(_ kind: EventKind, _ message: SendMessageID, style: LinkStyle = .path) throws -> String {
        let minter = try LinkMinter(
            keyRing: KeyRing(contentsOf: self.keysFile), publicURL: "http://hub.test", style: style)
        let links = minter.mint(message)
        return String((kind == .ack ? links.ack : links.open).dropFirst("http://hub.test".count))
    }

    /// One request on a connection of its own.
    func exchange(_ method: String, _ target: String, _ fields: [String] = []) async throws -> DeviceResponse {
        let port = self.publicPort
        return try await onThread { try DeviceConnection(port: port).exchange(method, target, fields) }
    }

    func get(_ target: String, _ fields: [String] = []) async throws -> DeviceResponse {
        try await self.exchange("GET", target, fields)
    }

    func admin(_ target: String, method: String = "GET") async throws -> DeviceResponse {
        let port = self.adminPort
        return try await onThread { try DeviceConnection(port: port).exchange(method, target) }
    }

    func metrics() async throws -> Exposition { try Exposition(try await self.admin("/metrics").text) }

    func hits(_ kind: EventKind, _ eventClass: EventClass) -> UInt64 {
        self.hub.devices.metrics.hits[DeviceMetrics.Hit(kind: kind, eventClass: eventClass)] ?? 0
    }

    /// What the database holds of a message once everything in the spool is loaded.
    func stored(_ message: SendMessageID) async throws -> MessageReport? {
        try await self.settle()
        return try await self.hub.services.pool.run {
            try Reports.message(account: message.account, key: message.messageKey, on: $0)
        }
    }

    func settle() async throws {
        let end = self.hub.spool.durable.offset
        guard try await eventually(within: .seconds(30), { self.hub.loader.loader.loaded >= end }) else {
            throw DeviceConnection.Fault(description: "the loader did not catch up: \(self.log.text)")
        }
    }
}

/// The system's clock, moved.
private final class ClockOffset: Sendable {
    private let offset = Atomic<Int64>(0)
    var now: UInt64 { UInt64(Int64(Log.systemTime()) + self.offset.load(ordering: .relaxed)) }
    func add(_ nanoseconds: Int64) { self.offset.wrappingAdd(nanoseconds, ordering: .relaxed) }
}

/// An empty database with the schema in it.
func makeMigratedDatabase(on server: TestPostgres = .shared) async throws -> TestDatabase {
    try await onThread {
        let database = try server.makeDatabase()
        _ = try Migrations.apply(on: PostgresConnection(PostgresConfiguration(connection: database.url)))
        return database
    }
}
