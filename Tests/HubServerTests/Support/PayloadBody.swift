@testable import HubServer

/// A body of `POST /v1/payloads` that is right but for what a test changes.
struct PayloadBody {
    static let launchedAt = "2026-03-01T08:00:00Z"

    var provider = "\"android-firebase\""
    /// The member's JSON; nil leaves it out.
    var message: String? = "{\"title\":\"Hello\"}"
    /// The array's JSON; nil leaves it out.
    var recipients: String? = "[\(PayloadBody.recipient(1))]"
    /// Further members, each with a comma before it.
    var more = ""

    var text: String {
        let message = self.message.map { ",\"message\":\($0)" } ?? ""
        let recipients = self.recipients.map { ",\"recipients\":\($0)" } ?? ""
        return "{\(Self.launch(self.provider))\(message)\(recipients)\(self.more)}"
    }

    /// One recipient, with a given send time so that its payload is the same in every request.
    static func recipient(_ number: Int, _ more: String = "") -> String {
        "{\(self.fields(number))\(more)}"
    }

    /// One line.
    static func line(
        _ number: Int, _ more: String = "", provider: String = "\"android-firebase\"",
        message: String = "{\"title\":\"Hello\"}"
    ) -> String {
        "{\(self.launch(provider)),\"message\":\(message),\(self.fields(number))\(more)}\n"
    }

    private static func launch(_ provider: String) -> String {
        "\"campaign_id\":7,\"launched_at\":\"\(self.launchedAt)\",\"provider\":\(provider)"
    }

    private static func fields(_ number: Int) -> String {
        "\"profile_id\":\(number),\"subscription_id\":\(number),\"token\":\"token-\(number)\","
            + "\"sent_at\":\"2026-03-01T08:00:01Z\""
    }
}

extension APITestHub {
    func render(_ token: String, _ body: String, key: String? = nil) async throws -> APITestReply {
        try await self.send(
            "POST", "/v1/payloads", token: token, headers: key.map { ["idempotency-key": $0] } ?? [:], body: body)
    }

    func renderLines(_ token: String, _ body: String, key: String? = nil) async throws -> APITestReply {
        var headers = ["content-type": "application/x-ndjson"]
        if let key { headers["idempotency-key"] = key }
        return try await self.send("POST", "/v1/payloads", token: token, headers: headers, body: body)
    }

    /// Any bytes as a JSON body.
    func render(_ token: String, bytes: [UInt8]) async throws -> APITestReply {
        let connection = try self.connect()
        let head =
            "POST /v1/payloads HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\n"
            + "content-type: application/json\r\ncontent-length: \(bytes.count)\r\n\r\n"
        try await connection.send(Array(head.utf8) + bytes)
        var reader = APITestReader(connection)
        return try await reader.reply()
    }
}
