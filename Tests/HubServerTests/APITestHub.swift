import EventSpool
import EventStore
import Foundation
import HTTPFrontEnd
import HubLinks
import MessageIDs
import Postgres
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import HubServer

/// The API as a client meets it: a real server, spool and database. Tests share one hub and stay apart by account.
final class APITestHub: Sendable {
    let services: HubServices
    let router: APIRouter
    let loader: LoaderThread
    private let database: TestDatabase
    private let folder: TemporaryFolder
    private let server: HTTPServer

    static func shared() async throws -> APITestHub { try await self.starting.value }

    private static let starting = Task { try await APITestHub.start(TestPostgres.shared) }
    private static let accounts = Atomic<Int64>(1_000)

    /// An account that no other test uses.
    static func newAccount() -> Int64 { self.accounts.wrappingAdd(1, ordering: .relaxed).newValue }

    static func start(
        _ postgres: TestPostgres, publicURL: String = "https://hub.example", spoolBytesMax: UInt64 = 1 << 30,
        loads: Bool = true, now: @escaping @Sendable () -> UInt64 = Log.systemTime
    ) async throws -> APITestHub {
        let database = try postgres.makeDatabase()
        let folder = TemporaryFolder()
        var configuration = HubConfiguration()
        configuration.publicURL = publicURL
        configuration.databaseURL = database.url
        var spool = SpoolConfiguration(directory: folder.file("spool"))
        spool.bytesMax = spoolBytesMax
        var connection = PostgresConfiguration(connection: database.url)
        connection.connectTimeoutSeconds = 2
        let services = HubServices(
            configuration: configuration, spool: try Spool(spool, log: { _ in }),
            pool: PostgresPool(connection, connections: 2, queueMax: 200),
            sendClock: SendClock(now: Log.systemTime), log: Log(minimum: .error, sink: { _ in }), now: now,
            keyRing: KeyRing(createdAt: 1_790_000_000))
        try await services.pool.run { _ = try Migrations.apply(on: $0) }
        return try APITestHub(services, connection, database, folder, loads: loads)
    }

    private init(
        _ services: HubServices, _ connection: PostgresConfiguration, _ database: TestDatabase,
        _ folder: TemporaryFolder, loads: Bool
    ) throws {
        self.services = services
        self.database = database
        self.folder = folder
        let router = APIRouter(services)
        self.router = router
        guard let address = SocketAddress(text: "127.0.0.1:0") else { preconditionFailure() }
        self.server = try HTTPServer(HTTPServerConfiguration(listen: [address]), log: { _ in }) { _ in
            EndpointHandler(router)
        }
        self.loader = LoaderThread(
            services.configuration, postgres: connection, spool: services.spool, log: services.log)
        self.server.start()
        if loads { try self.loader.start() }
    }

    deinit {
        self.server.stop(withinSeconds: 0)
        _ = self.loader.stop(withinSeconds: 5)
        self.services.spool.close()
        self.services.pool.close()
    }

    func connect() throws -> APITestConnection { try APITestConnection(port: self.server.addresses[0].port) }

    func token(_ account: Int64, _ scopes: Set<TokenScope> = [.mint, .report]) async throws -> String {
        try await self.services.pool.run { try Tokens.create(account: account, scopes: scopes, name: "test", on: $0) }
    }

    /// One request on a connection of its own.
    func send(
        _ method: String, _ target: String, token: String?, headers: [String: String] = [:], body: String? = nil
    ) async throws -> APITestReply {
        let connection = try self.connect()
        var fields = ["host": "hub.example"]
        if let token { fields["authorization"] = "Bearer \(token)" }
        if let body {
            fields["content-type"] = "application/json"
            fields["content-length"] = String(body.utf8.count)
        }
        fields.merge(headers) { $1 }
        let head = fields.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        try await connection.send("\(method) \(target) HTTP/1.1\r\n\(head)\r\n\(body ?? "")")
        var reader = APITestReader(connection)
        return try await reader.reply(isBodyless: method == "HEAD")
    }

    func get(_ target: String, _ token: String) async throws -> APITestReply {
        try await self.send("GET", target, token: token)
    }

    func mint(_ token: String, _ body: String, key: String? = nil) async throws -> APITestReply {
        try await self.send(
            "POST", "/v1/links", token: token, headers: key.map { ["idempotency-key": $0] } ?? [:], body: body)
    }

    func mintLines(_ token: String, _ body: String, key: String? = nil) async throws -> APITestReply {
        var headers = ["content-type": "application/x-ndjson"]
        if let key { headers["idempotency-key"] = key }
        return try await self.send("POST", "/v1/links", token: token, headers: headers, body: body)
    }

    /// `totals` of a launch's report once everything that is in the spool now is in the database; null when it is unknown.
    func totals(_ launch: String, _ token: String, query: String = "") async throws -> JSONValue {
        try await self.settle()
        let reply = try await self.get("/v1/reports/launches/\(launch)\(query)", token)
        return reply.status == 404 ? .null : try reply.json["totals"] ?? .null
    }

    /// Waits until everything that is in the spool now is in the database.
    func settle() async throws {
        let end = self.services.spool.durable.offset
        let isLoaded = try await eventually { self.loader.loader.loaded >= end }
        #expect(isLoaded, "the loader did not catch up")
    }

    /// What a device would get: the kind and message of a link, and the message its uid names.
    func open(_ link: String?) throws -> (EventKind, SendMessageID)? {
        guard let link, let target = link.firstRange(of: "hub.example")?.upperBound else { return nil }
        let opener = try LinkOpener(keyRing: self.services.keyRing)
        guard case .message(let kind, let message) = opener.read(target: Array(link[target...].utf8).span.bytes) else {
            return nil
        }
        return (kind, message)
    }

    private final class EndpointHandler: HTTPLoopHandler {
        private let router: APIRouter
        init(_ router: APIRouter) { self.router = router }
        func receive(
            _ head: borrowing HTTPRequestHead, _ bytes: RawSpan, peer: SocketAddress, exchange: HTTPExchangeID
        ) -> HTTPReply {
            .endpoint { [router = self.router] in await router.respond($0, $1, $2) }
        }
        func turnEnded(_ loop: HTTPLoop) {}
        func woken(_ loop: HTTPLoop) {}
    }
}

extension JSONValue {
    /// A member by path, for short expectations: `json["hub_link", "ack"]`.
    subscript(_ first: String, _ second: String) -> JSONValue? { self[first]?[second] }
}
