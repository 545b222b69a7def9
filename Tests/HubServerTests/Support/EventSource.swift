import EventStore
import MessageIDs
import Postgres
import StrictJSON

@testable import HubServer

/// A sender that has events from elsewhere, with an account of its own.
struct EventSource {
    let hub: APITestHub
    let account: Int64
    let token: String

    init(_ hub: APITestHub, scopes: Set<TokenScope> = [.ingest]) async throws {
        self.hub = hub
        self.account = APITestHub.newAccount()
        self.token = try await hub.token(self.account, scopes)
    }

    /// A message of the account, sent now.
    func message(privacy: Privacy = .keepAddress) -> SendMessageID { Gateway.message(self.account, privacy: privacy) }

    /// `more` are further members: `,"at":…`.
    static func line(_ uid: String, _ kind: String = "ack", _ more: String = "") -> String {
        "{\"uid\":\"\(uid)\",\"kind\":\"\(kind)\"\(more)}\n"
    }

    func send(_ body: String, headers: [String: String] = [:], token: String? = nil) async throws -> APITestReply {
        try await self.hub.send(
            "POST", "/v1/ingest", token: token ?? self.token,
            headers: ["content-type": "application/x-ndjson"].merging(headers) { $1 }, body: body)
    }

    /// The head of a request, to be followed by its body in pieces.
    func head(_ framing: String) -> String {
        "POST /v1/ingest HTTP/1.1\r\nHost: hub.example\r\nAuthorization: Bearer \(self.token)\r\n"
            + "Content-Type: application/x-ndjson\r\n\(framing)\r\n\r\n"
    }

    /// The message with its events in PostgreSQL; nil when nothing is known of it.
    func stored(_ message: SendMessageID) async throws -> MessageReport? {
        try await self.hub.settle()
        return try await self.hub.services.pool.run {
            try Reports.message(account: message.account, key: message.messageKey, on: $0)
        }
    }

    /// One word an answer: `accepted`, or an error's line, code and the places of its faults.
    static func shape(_ lines: [JSONValue]) -> [String] {
        lines.map { line in
            guard let error = line["error"] else { return line["accepted"] == .bool(true) ? "accepted" : "?" }
            let number = error["line"]?.int64.map(String.init) ?? "?"
            let faults = (error["errors"]?.items ?? []).map {
                " \($0["pointer"]?.text ?? "?") \($0["code"]?.text ?? "?")"
            }
            return "\(number) \(error["code"]?.text ?? "?")" + faults.joined()
        }
    }
}
