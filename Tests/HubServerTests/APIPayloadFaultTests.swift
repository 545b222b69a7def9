import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIPayloadFaultTests {
    private static let long = String(repeating: "x", count: 4_096)

    struct Case: Sendable, CustomTestStringConvertible {
        var body: String
        var faults: [String]
        var code = "invalid_fields"
        var testDescription: String { self.faults.joined(separator: ", ") }

        init(_ body: PayloadBody, _ faults: String..., code: String = "invalid_fields") {
            self.body = body.text
            self.faults = faults
            self.code = code
        }
    }

    /// What a request shares, wrong in every way: all of it refused, every fault at its pointer.
    private static let shared: [Case] = [
        Case(PayloadBody(provider: "77"), "/provider unknown_value"),
        Case(PayloadBody(provider: "\"carrier pigeon\""), "/provider unknown_value"),
        Case(PayloadBody(message: nil), "/message required"),
        Case(PayloadBody(provider: "77", message: nil), "/message required", "/provider unknown_value"),
        Case(PayloadBody(message: "null"), "/message required"),
        Case(PayloadBody(message: "\"Hello\""), "/message type"),
        Case(PayloadBody(message: "[]"), "/message type"),
        Case(PayloadBody(message: "{\"title\":5}"), "/message/title type"),
        Case(PayloadBody(message: "{\"title\":\"a\",\"titel\":\"b\"}"), "/message/titel unknown_field"),
        Case(PayloadBody(message: "{\"title\":\"a\",\"click_url\":\"not a url\"}"), "/message/click_url invalid"),
        Case(
            PayloadBody(message: "{\"title\":\"a\",\"data\":{\"_uid\":\"mine\"}}"), "/message/data/_uid reserved_name"),
        Case(PayloadBody(message: "{\"title\":\"a\",\"data\":{\"from\":\"me\"}}"), "/message/data/from reserved_name"),
        Case(
            PayloadBody(message: "{\"title\":\"a\",\"image\":\"http://x.example/a.png\"}"),
            "/message/image invalid_image_url", code: "invalid_image_url"),
        Case(PayloadBody(message: "{}"), "/message empty_payload", code: "empty_payload"),
        Case(
            PayloadBody(message: "{\"title\":\"\",\"image\":\"x\"}"),
            "/message/image invalid_image_url", "/message empty_payload"),
        Case(PayloadBody(more: ",\"template\":\"fancy\""), "/template unknown_value"),
        Case(PayloadBody(more: ",\"template\":1,\"ak_uid\":\"yes\""), "/template type", "/ak_uid type"),
        Case(PayloadBody(more: ",\"token\":\"t\""), "/token unknown_field"),
        Case(PayloadBody(more: ",\"privacy\":9"), "/privacy unknown_value"),
        Case(PayloadBody(recipients: nil), "/recipients required"),
        Case(PayloadBody(recipients: "null"), "/recipients required"),
        Case(PayloadBody(recipients: "{}"), "/recipients type"),
        Case(PayloadBody(recipients: "[]"), "/recipients empty"),
        Case(PayloadBody(more: ",\"messages\":[\(PayloadBody.recipient(2))]"), "/messages repeated"),
        // Everything at once, the recipients' own faults too.
        Case(
            PayloadBody(
                provider: "\"ios-apns\"", message: "{\"title\":5}", recipients: "[{\"profile_id\":1,\"token\":\"\"}]",
                more: ",\"style\":\"x\""),
            "/style unknown_value", "/message/title type", "/recipients/0/token invalid",
            "/recipients/0/subscription_id required"),
    ]

    /// The only recipient, wrong in every way.
    private static let recipient: [Case] = [
        Case(
            PayloadBody(recipients: "[{\"profile_id\":1,\"subscription_id\":1}]"), "/recipients/0/token required"),
        Case(
            PayloadBody(recipients: "[{\"profile_id\":1,\"subscription_id\":1,\"token\":null}]"),
            "/recipients/0/token required"),
        Case(
            PayloadBody(recipients: "[{\"profile_id\":1,\"subscription_id\":1,\"token\":5}]"),
            "/recipients/0/token type"),
        Case(
            PayloadBody(recipients: "[{\"profile_id\":1,\"subscription_id\":1,\"token\":\"a b\"}]"),
            "/recipients/0/token invalid"),
        Case(
            PayloadBody(recipients: "[{\"profile_id\":1,\"subscription_id\":1,\"token\":\"\(long)x\"}]"),
            "/recipients/0/token invalid"),
        Case(
            PayloadBody(recipients: "[\(PayloadBody.recipient(1, ",\"locale\":5"))]"), "/recipients/0/locale type"),
        Case(
            PayloadBody(recipients: "[\(PayloadBody.recipient(1, ",\"locale\":\"\(long)\""))]"),
            "/recipients/0/locale too_long"),
        Case(
            PayloadBody(recipients: "[\(PayloadBody.recipient(1, ",\"tokens\":[]"))]"),
            "/recipients/0/tokens unknown_field"),
        Case(
            PayloadBody(
                recipients: "[{\"profile_id\":340282366920938463463374607431768211456,"
                    + "\"subscription_id\":9223372036854775808,\"token\":\"t\"}]"),
            "/recipients/0/profile_id invalid", "/recipients/0/subscription_id out_of_range"),
        Case(PayloadBody(recipients: "[5]"), "/recipients/0 type"),
        Case(
            PayloadBody(provider: "\"ios-apns\"", recipients: "[\(topic)]"), "/recipients/0/token invalid"),
        Case(
            PayloadBody(message: "{\"body\":\"\(long)\"}"), "/message payload_too_large", code: "payload_too_large"),
        Case(
            PayloadBody(
                provider: "\"pushwoosh-ios\"", message: "{\"content\":\"a\"}",
                recipients: "[{\"profile_id\":340282366920938463463374607431768211455,"
                    + "\"subscription_id\":9223372036854775807,\"token\":\"t\"}]",
                more: ",\"resource_id\":9223372036854775807"),
            "/message out_of_range"),
        // The same fault of many recipients is told once.
        Case(
            PayloadBody(
                message: "{\"body\":\"\(long)\"}",
                recipients: "[\(PayloadBody.recipient(1)),5,\(PayloadBody.recipient(2))]"),
            "/recipients/1 type", "/message payload_too_large"),
    ]

    private static let topic = "{\"profile_id\":1,\"subscription_id\":1,\"token\":\"/topics/news\"}"

    /// One character of a name can be of any length: a letter with its combining marks.
    @Test func answersAHostileNameBriefly() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let name = "a" + String(repeating: "\u{301}", count: 20_000)
        let fields = (0..<1_000).map { "\"f\($0)\":1" }.joined(separator: ",")
        let message = "{\"title\":\"T\",\"localizations\":{\"\(name)\":{\(fields)}}}"
        let reply = try await hub.render(token, PayloadBody(provider: "\"carillon-ios\"", message: message).text)
        #expect(reply.status == 422)
        #expect(reply.faults.count > 100)
        #expect(reply.text.utf8.count < 1 << 20)
    }

    /// Refused as a whole: status, code and every pointer; and nothing counts as sent.
    @Test(arguments: shared + recipient)
    func refusesTheRequest(_ expected: Case) async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        #expect(try await hub.render(token, PayloadBody().text).status == 200)
        let reply = try await hub.render(token, expected.body)
        #expect(reply.status == 422, "\(reply.text)")
        #expect(reply.header("content-type") == "application/problem+json")
        #expect(reply.code == expected.code)
        #expect(reply.faults.sorted() == expected.faults.sorted())
        let launchedAt = try #require(UnixTime.nanoseconds(text: PayloadBody.launchedAt))
        let launch = LaunchID(account: account, campaign: 7, launchedAt: launchedAt).text
        #expect(try await hub.totals(launch, token)["sent"] == .number("1"))
    }

    /// A body that is no strict JSON is refused with the byte where it breaks.
    @Test(arguments: ["invalid_utf8", "too_deep", "duplicate_key"])
    func refusesBrokenJSON(what: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let nested = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
        let body: [UInt8] =
            switch what {
            case "invalid_utf8":
                Array(PayloadBody(message: "{\"title\":\"?\"}").text.utf8).replacing([0x3F], with: [0xC3])
            case "too_deep": Array(PayloadBody(message: "{\"title\":\"a\",\"data\":\(nested)}").text.utf8)
            default: Array(PayloadBody(message: "{\"title\":\"a\",\"title\":\"b\"}").text.utf8)
            }
        let reply = try await hub.render(token, bytes: body)
        #expect(reply.status == 400)
        #expect(reply.code == "malformed_json")
        #expect(try reply.json["detail"]?.text?.contains(what) == true)
        #expect(try reply.json["offset"] != nil)
    }

    /// A list beyond its limit is refused before its elements are read; one at the limit is read.
    @Test func boundsTheRecipients() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let limit = PayloadsRequest.recipientsMax
        for (count, total) in [(limit, Int?(limit)), (limit + 1, nil)] {
            let zeros = [String](repeating: "0", count: count).joined(separator: ",")
            let reply = try await hub.render(token, PayloadBody(recipients: "[\(zeros)]").text)
            #expect(reply.status == 422)
            #expect(try reply.json["errors_total"] == total.map { .number("\($0)") })
            #expect(reply.faults.first == (total == nil ? "/recipients too_many" : "/recipients/0 type"))
        }
    }

    /// Requests without a body to read are refused as elsewhere.
    @Test func refusesOtherRequests() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let body = PayloadBody().text
        #expect(try await hub.send("GET", "/v1/payloads", token: token).header("allow") == "POST")
        #expect(try await hub.send("POST", "/v1/payloads", token: nil, body: body).status == 401)
        let report = try await hub.token(account, [.report])
        #expect(try await hub.render(report, body).code == "insufficient_scope")
        let query = try await hub.send("POST", "/v1/payloads?test=true", token: token, body: body)
        #expect(query.faults == ["test unknown_parameter"])
        let text = try await hub.send(
            "POST", "/v1/payloads", token: token, headers: ["content-type": "text/plain"], body: body)
        #expect(text.header("accept-post") == "application/json, application/x-ndjson")
    }
}
