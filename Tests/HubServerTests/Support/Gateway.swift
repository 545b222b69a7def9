import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres

@testable import HubServer

/// A service that reports to post_events, with an account and a message of its own.
struct Gateway {
    static let path = "/api/v1.1/pushes/post_events"

    let hub: APITestHub
    let account: Int64
    let token: String
    let message: SendMessageID

    init(_ hub: APITestHub, scopes: Set<TokenScope> = [.ingest], privacy: Privacy = .keepAddress) async throws {
        self.hub = hub
        self.account = APITestHub.newAccount()
        self.token = try await hub.token(self.account, scopes)
        self.message = Self.message(self.account, privacy: privacy)
    }

    /// Sent now, by Firebase to Android.
    static func message(_ account: Int64, provider: UInt8 = 1, privacy: Privacy = .keepAddress) -> SendMessageID {
        let sentAt = Log.systemTime()
        let message = SendMessageID(
            account: account, campaign: 224, resource: 5, channel: .push, subscription: 43, profile: ProfileID(42),
            sentAt: sentAt, launchedAt: sentAt - 117_000_000, provider: Provider(rawValue: provider), isTest: false,
            privacy: privacy)
        return message.asMinted
    }

    var uid: String { self.message.text() }
    var packedUID: String { Self.packed(self.message) }

    static func packed(_ message: SendMessageID) -> String {
        "e|\(message.launch.text)|\(message.text())|\(message.provider.name)"
    }

    /// One call on a connection of its own, as Go's client sends it.
    func post(
        _ body: String, type: String = "application/json", query: String = "", fields: [String] = []
    ) async throws -> APITestReply {
        try await self.post(Array(body.utf8), type: type, query: query, fields: fields)
    }

    func post(
        _ body: [UInt8], type: String = "application/json", query: String = "", fields: [String] = []
    ) async throws -> APITestReply {
        let lines = [
            "POST \(Self.path)\(query) HTTP/1.1", "Host: hub.example", "User-Agent: Go-http-client/1.1",
            "Content-Length: \(body.count)", "Content-Type: \(type)", "Accept-Encoding: gzip",
        ]
        return try await self.exchange(Array((lines + fields).map { $0 + "\r\n" }.joined().utf8) + [13, 10] + body)
    }

    /// A whole request as it goes over the wire.
    func exchange(_ request: [UInt8]) async throws -> APITestReply {
        let connection = try self.hub.connect()
        try await connection.send(request)
        var reader = APITestReader(connection)
        return try await reader.reply()
    }

    /// The kinds of the message's events in PostgreSQL, in order of receipt; nil when nothing is known of it.
    func storedKinds(_ message: SendMessageID? = nil) async throws -> [EventKind]? {
        try await self.stored(message)?.events.map(\.kind)
    }

    func stored(_ message: SendMessageID? = nil) async throws -> MessageReport? {
        let message = message ?? self.message
        try await self.hub.settle()
        return try await self.hub.services.pool.run {
            try Reports.message(account: message.account, key: message.messageKey, on: $0)
        }
    }
}
