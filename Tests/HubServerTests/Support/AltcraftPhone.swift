import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import TestSupport

@testable import HubServer

/// A phone with one of Altcraft's SDKs in an app: what its HTTP stack puts on the wire, byte for byte.
enum AltcraftPhone: CaseIterable {
    /// OkHttp; Request-ID is a UUID of each event.
    case android
    /// OkHttp; Request-ID is the message's id, for the delivery and the open alike.
    case oldAndroid
    /// URLSession; Request-ID is a UUID, and with a role token `matching_mode` is that token.
    case iOS
    /// URLSession; the event's type is glued to the id, and Request-ID is the same.
    case oldIOS

    static let requestIDs: [EventKind: String] = [
        .ack: "2c1d6bb1-7f0a-4d4e-9c6e-0b6f6f1f1a01", .open: "F4B4A6C0-58C7-4A71-8F8E-6D1A9B0C2D11",
    ]

    var userAgent: String {
        switch self {
        case .android, .oldAndroid: "okhttp/4.12.0"
        case .iOS, .oldIOS: "App/1 CFNetwork/1410.0.3 Darwin/22.6.0"
        }
    }

    static func path(_ kind: EventKind) -> String { "/event/push/" + (kind == .ack ? "delivery" : "open") }

    func request(
        _ kind: EventKind, _ message: SendMessageID, authorization: String, time: UInt64, isChunked: Bool = false
    ) -> [UInt8] {
        let word = kind == .ack ? "delivery" : "open"
        let smid = message.text() + (self == .oldIOS ? word : "")
        let requestID = self == .android || self == .iOS ? Self.requestIDs[kind]! : smid
        let seconds = time / 1_000_000_000
        switch self {
        case .android, .oldAndroid:
            let body = "{\"time\":\(seconds),\"smid\":\"\(smid)\"}"
            return Self.message(
                "POST \(Self.path(kind))?matching_mode=push_sub HTTP/1.1",
                [
                    "Authorization: \(authorization)", "Request-ID: \(requestID)", "Content-Type: application/json",
                    isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)",
                    "Host: hub.test:8080", "Connection: Keep-Alive", "Accept-Encoding: gzip",
                    "User-Agent: \(self.userAgent)",
                ], isChunked ? Self.chunked(body) : body)
        case .iOS, .oldIOS:
            let body = "{\"smid\":\"\(smid)\",\"time\":\(seconds)}"
            let token = authorization.split(separator: "@").last ?? ""
            return Self.message(
                "POST \(Self.path(kind))?matching_mode=\(token) HTTP/1.1",
                [
                    "Host: hub.test:8080", "Content-Type: application/json", "Request-ID: \(requestID)",
                    "Connection: keep-alive", "Accept: */*", "User-Agent: \(self.userAgent)",
                    "Authorization: \(authorization)",
                    isChunked ? "Transfer-Encoding: Chunked" : "Content-Length: \(body.utf8.count)",
                    "Accept-Language: en-GB,en;q=0.9", "Accept-Encoding: gzip, deflate",
                ], isChunked ? Self.chunked(body) : body)
        }
    }

    private static func message(_ line: String, _ fields: [String], _ body: String) -> [UInt8] {
        Array("\(line)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8)
    }

    /// In two pieces.
    private static func chunked(_ body: String) -> String {
        let pieces = [body.prefix(10), body.dropFirst(10)]
        return pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    }
}

extension RunningHub {
    static let success = "{\"error\":0,\"error_text\":\"Successful operation\"}"

    /// One request as its bytes on a connection of its own.
    func post(_ request: [UInt8]) async throws -> DeviceResponse {
        let port = self.publicPort
        return try await onThread {
            let connection = try DeviceConnection(port: port)
            try connection.send(request)
            return try connection.read()
        }
    }

    /// A report of the newest Android SDK.
    func report(
        _ kind: EventKind, _ message: SendMessageID, authorization: String, time: UInt64? = nil
    ) async throws -> DeviceResponse {
        let time = time ?? self.now
        return try await self.post(
            AltcraftPhone.android.request(kind, message, authorization: authorization, time: time))
    }

    /// A report with these fields and this body, whatever they are.
    func report(
        _ fields: [String], body: String, target: String = AltcraftPhone.path(.ack)
    ) async throws -> DeviceResponse {
        let fields = (fields + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n")
        return try await self.post(Array("POST \(target) HTTP/1.1\r\nHost: hub.test\r\n\(fields)\r\n\r\n\(body)".utf8))
    }

    /// `Authorization` of an app with a role token.
    func roleToken(account: Int64 = 1, scopes: Set<TokenScope> = [.device]) async throws -> String {
        let token = try await self.hub.services.pool.run {
            try Tokens.create(account: account, scopes: scopes, name: "app", on: $0)
        }
        return "Bearer rtoken@" + token
    }

    func addKey(_ key: JWTKey) async throws {
        let addition = try await self.hub.services.pool.run { try JWTKeys.add(key, name: "app", on: $0) }
        guard addition == .added else { throw DeviceConnection.Fault(description: "\(addition)") }
    }
}
