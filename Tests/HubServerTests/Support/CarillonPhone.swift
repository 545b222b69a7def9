import EventSpool
import EventStore
import Foundation
import MessageIDs
import Postgres
import StrictJSON

@testable import HubServer

/// Carillon's SDKs as they call: fields in their order and spelling, members in theirs.
enum CarillonPhone: CaseIterable {
    /// carillon-swift, by URLSession.
    case swift
    /// carillon-kotlin, by Android's HttpURLConnection.
    case kotlin
    /// An app's own client, by OkHttp.
    case okHTTP

    var userAgent: String {
        switch self {
        case .swift: "carillon-swift/1.2.0"
        case .kotlin: "carillon-kotlin/1.2.0"
        case .okHTTP: "okhttp/4.12.0"
        }
    }

    /// The whole request.
    func request(_ body: String, key: String) -> [UInt8] {
        let fields =
            switch self {
            case .swift:
                [
                    "Host: hub.test", "Content-Type: application/json", "Connection: keep-alive", "Accept: */*",
                    "User-Agent: \(self.userAgent)", "Authorization: Bearer \(key)",
                    "Content-Length: \(body.utf8.count)", "Accept-Language: en-GB,en;q=0.9",
                    "Accept-Encoding: gzip, deflate, br",
                ]
            case .kotlin:
                [
                    "Content-Type: application/json", "Authorization: Bearer \(key)", "User-Agent: \(self.userAgent)",
                    "Host: hub.test", "Connection: Keep-Alive", "Accept-Encoding: gzip",
                    "Content-Length: \(body.utf8.count)",
                ]
            case .okHTTP:
                [
                    "Authorization: Bearer \(key)", "Content-Type: application/json; charset=utf-8",
                    "Content-Length: \(body.utf8.count)", "Host: hub.test", "Connection: Keep-Alive",
                    "Accept-Encoding: gzip", "User-Agent: \(self.userAgent)",
                ]
            }
        return Array((["POST /v1/events HTTP/1.1"] + fields + ["", body]).joined(separator: "\r\n").utf8)
    }

    /// A batch; the SDKs write members by name.
    static func body(_ events: [String]) -> String { "{\"events\":[\(events.joined(separator: ","))]}" }

    /// One event of a batch; `at` is UNIX nanoseconds.
    static func event(_ type: String, _ key: MessageKey, at: UInt64) -> String {
        let at = UnixTime.text(nanoseconds: at - at % 1_000_000, fractionDigitsMin: 3)
        return "{\"at\":\"\(at)\",\"delivery_id\":\"\(key.text)\",\"type\":\"\(type)\"}"
    }

    /// The `delivery_id` of a rendered payload, read as the SDK of its platform reads it.
    static func deliveryID(in payload: JSONValue?) throws -> String? {
        // iOS has the stamp as an object, Android as JSON in a string.
        if let stamp = payload?["carillon"] { return stamp["delivery_id"]?.text }
        guard let stamp = payload?["message", "data"]?["carillon"]?.text else { return nil }
        return try JSONValue(parsing: Array(stamp.utf8).span.bytes)["delivery_id"]?.text
    }
}

extension RunningHub {
    /// A token as it lies in an app with Carillon's SDK.
    func mobileKey(
        account: Int64 = 1, scopes: Set<TokenScope> = [.device], prefix: Tokens.Prefix = .carillonMobileKey
    ) async throws -> String {
        try await self.hub.services.pool.run {
            try Tokens.create(account: account, scopes: scopes, name: "app", prefix: prefix, on: $0)
        }
    }

    /// Sends a batch of events.
    func carillon(
        _ events: [String], key: String, from phone: CarillonPhone = .swift
    ) async throws -> DeviceResponse {
        try await self.carillon(phone.request(CarillonPhone.body(events), key: key))
    }

    /// Sends a whole request.
    func carillon(_ request: [UInt8]) async throws -> DeviceResponse {
        let port = self.publicPort
        return try await onThread {
            let connection = try DeviceConnection(port: port)
            try connection.send(request)
            return try connection.read()
        }
    }

    /// Makes a message known, as rendering its payload does.
    func mint(_ messages: [SendMessageID]) async {
        let records = messages.map { message in
            var record: [UInt8] = []
            MintedMessage(message: message.asMinted).appendRecord(to: &record)
            return record
        }
        let refusal = await self.hub.spool.append(records)
        precondition(refusal == nil, "the spool refused the messages: \(String(describing: refusal))")
    }

    /// What an account has in the database: events, and events of unknown messages.
    func storedEvents(account: Int64 = 1) async throws -> (known: Int64, unknown: Int64) {
        try await self.settle()
        return try await self.hub.services.pool.run { connection in
            func count(_ table: String) throws -> Int64 {
                try connection.query(
                    "select count(*) from ackhub.\(table) where account_id = $1", [.int64(account)]
                ).int64(0, 0)
            }
            return (try count("event_log"), try count("unmatched_event"))
        }
    }

    /// `sent, acked, derived, opened, acks_total, opens_total` of a message's launch.
    func totals(of message: SendMessageID) async throws -> [Int64] {
        try await self.settle()
        let report = try await self.hub.services.pool.run {
            try Reports.launch(message.launch, includeTests: false, on: $0)
        }
        guard let row = report?.totals else { return [] }
        return [row.sent, row.acked, row.derived, row.opened, row.acksTotal, row.opensTotal]
    }
}
