import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIPayloadTests {
    private static func parse(_ text: String?) throws -> JSONValue {
        try JSONValue(parsing: Array((text ?? "").utf8).span.bytes)
    }

    /// What each element of `messages` was answered with: the token that it is for, or its error's code and pointers.
    static func shape(_ elements: [JSONValue]) -> [String] {
        elements.map { element in
            guard let error = element["error"] else {
                return element["payload", "message"]?["token"]?.text ?? "?"
            }
            let pointers = (error["errors"]?.items ?? []).map { $0["pointer"]?.text ?? "?" }
            return ([error["code"]?.text ?? "?"] + pointers).joined(separator: " ")
        }
    }

    /// The payload holds the message's id and links, and the links open to what was asked for.
    @Test func makesTheFinishedPayload() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        var body = PayloadBody(message: "{\"title\":\"Hi\",\"body\":\"there\",\"data\":{\"order\":5}}")
        body.more = ",\"ak_uid\":true,\"resource_id\":\"9\""
        let reply = try await hub.render(token, body.text)
        #expect(reply.status == 200, "\(reply.text)")
        let message = try #require(try reply.json["messages"]?.items?.first)
        let uid = message["uid"]?.text ?? ""
        let sent = try SendMessageID(text: uid)
        #expect(try reply.json["launch_id"] == message["launch_id"])
        try APIMintTests.expect(message, opensTo: sent, in: hub)
        #expect(sent.account == account)
        #expect(sent.campaign == 7)
        #expect(sent.resource == 9)
        #expect(sent.provider == Provider(name: "android-firebase"))
        let firebase = message["payload", "message"]
        #expect(firebase?["token"] == .string("token-1"))
        let data = firebase?["android", "data"]
        #expect(data?["_uid"] == .string(uid))
        #expect(data?["ak_uid"] == .string(uid))
        #expect(data?["_launch_id"] == message["launch_id"])
        #expect(data?["_title"] == .string("Hi"))
        #expect(data?["order"] == .string("5"))
        let links = try Self.parse(data?["_hub_link"]?.text)
        #expect(links["ack"] == message["hub_link", "ack"])
        #expect(links["open"] == message["hub_link", "open"])
        #expect(try await hub.totals(sent.launch.text, token)["sent"] == .number("1"))
    }

    /// APNs counts the payload's own text, and takes the rest as header fields beside it.
    @Test func givesWhatGoesBesideThePayload() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = PayloadBody(provider: "3", message: "{\"title\":\"a\",\"ttl\":60}").text
        let text = try await hub.render(token, body).text
        let message = try #require(try Self.parse(text)["messages"]?.items?.first)
        #expect(message["delivery"]?.members?.isEmpty == false)
        let start = try #require(text.firstRange(of: "\"payload\":")?.upperBound)
        let end = try #require(text.firstRange(of: ",\"delivery\":")?.lowerBound)
        #expect(message["payload_bytes"] == .number("\(text[start..<end].utf8.count)"))
        let names = message.members?.map(\.name)
        #expect(names == ["uid", "launch_id", "hub_link", "payload", "delivery", "payload_bytes", "link_bytes"])
        let firebase = try (await hub.render(token, PayloadBody().text)).json["messages"]?.items?.first
        #expect(firebase?["delivery"] == nil)
    }

    /// Template, style and privacy change the payload; names have every spelling.
    @Test func followsItsOptions() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        func element(_ more: String) async throws -> JSONValue? {
            let body = PayloadBody(
                provider: "\"Android Firebase\"", message: "{\"title\":\"a\",\"ttl\":60}", more: more)
            return try (await hub.render(token, body.text)).json["messages"]?.items?.first
        }
        let plain = try #require(try await element(""))
        #expect(try await element(",\"template\":\"wire\",\"ak_uid\":false") == plain)
        #expect(try await element(",\"template\":null,\"ak_uid\":null") == plain)
        #expect(try await element(",\"template\":\"documented\"")?["payload"] != plain["payload"])
        let hex = try await element(",\"style\":\"crypto_post_events\"")
        #expect(hex?["hub_link", "ack"]?.text?.contains("/crypto_post_events?/") == true)
        #expect(hex?["uid"] == plain["uid"])
        let anonymous = try await element(",\"privacy\":3")
        let message = try SendMessageID(text: anonymous?["uid"]?.text ?? "")
        #expect(message.profile == ProfileID(0))
        #expect(message.subscription == 0)
    }

    /// A bad recipient is answered in its place, under the name that the client used, and costs no neighbour.
    @Test(arguments: ["recipients", "messages"])
    func answersBadRecipientsInPlace(name: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let recipients = [
            "{\"profile_id\":1,\"subscription_id\":1}", PayloadBody.recipient(1), "5",
            "{\"profile_id\":-1,\"subscription_id\":true,\"token\":\"\"}", PayloadBody.recipient(2),
            PayloadBody.recipient(3, ",\"locale\":[]"), PayloadBody.recipient(4),
        ]
        let body = PayloadBody(recipients: nil, more: ",\"\(name)\":[\(recipients.joined(separator: ","))]").text
        let reply = try await hub.render(token, body)
        #expect(reply.status == 200)
        #expect(
            try Self.shape(reply.json["messages"]?.items ?? []) == [
                "invalid_fields /\(name)/0/token", "token-1", "invalid_fields /\(name)/2",
                "invalid_fields /\(name)/3/profile_id /\(name)/3/subscription_id /\(name)/3/token", "token-2",
                "invalid_fields /\(name)/5/locale", "token-4",
            ])
        let launch = try reply.json["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("3"))
    }

    /// A message may fit one recipient exactly and be too large for the next, whose ids are longer: only that one is
    /// refused, and not counted, in JSON and in lines.
    @Test func refusesOnlyWhomThePayloadIsTooLargeFor() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let first = try (await hub.render(token, PayloadBody(message: "{\"body\":\"x\"}").text)).json
        guard case .number(let text)? = first["messages"]?.items?.first?["payload_bytes"], let bytes = Int(text) else {
            Issue.record("no payload_bytes")
            return
        }
        let message = "{\"body\":\"\(String(repeating: "x", count: 1 + 4_096 - bytes))\"}"
        let recipients = [1, 1 << 60, 2].map { PayloadBody.recipient($0) }.joined(separator: ",")
        let reply = try await hub.render(token, PayloadBody(message: message, recipients: "[\(recipients)]").text)
        let expected = ["token-1", "payload_too_large /message", "token-2"]
        let elements = try reply.json["messages"]?.items ?? []
        #expect(Self.shape(elements) == expected)
        #expect(elements.first?["payload_bytes"] == .number("4096"))
        let lines = [1, 1 << 60, 2].map { PayloadBody.line($0, message: message) }.joined()
        let answers = try await hub.renderLines(token, lines).lines
        #expect(Self.shape(answers) == expected)
        let launch = try reply.json["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("5"))
    }

    /// A repeat gives the same bytes and is counted once, refused recipients included in the counting of places.
    @Test func repeatsByteForByte() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = """
            {"campaign_id":7,"provider":3,"message":{"title":"a"},"recipients":[{"profile_id":1,"subscription_id":1,
             "token":"a"},{},{"profile_id":2,"subscription_id":2,"token":"b"}]}
            """
        let first = try await hub.render(token, body, key: "k")
        #expect(first.status == 200, "\(first.text)")
        for _ in 0..<3 { #expect(try await hub.render(token, body, key: "k").text == first.text) }
        #expect(try await hub.render(token, body).text != first.text)
        #expect(try await hub.render(token, body + " ", key: "k").code == "idempotency_key_reused")
        let launch = try first.json["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("2"))
    }

    /// Thousands of recipients come back in order in one JSON text, in pieces.
    @Test func makesThousandsInOneRequest() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let recipients = (0..<5_000).map { PayloadBody.recipient($0) }.joined(separator: ",")
        let json = try (await hub.render(token, PayloadBody(recipients: "[\(recipients)]").text)).json
        #expect(Self.shape(json["messages"]?.items ?? []) == (0..<5_000).map { "token-\($0)" })
        #expect(try await hub.totals(json["launch_id"]?.text ?? "", token)["sent"] == .number("5000"))
    }

    /// Payloads and refusals are counted, by provider and by code.
    @Test func countsPayloads() async throws {
        let hub = try await APITestHub.start(TestPostgres.shared)
        let token = try await hub.token(1)
        _ = try await hub.render(token, PayloadBody(recipients: "[\(PayloadBody.recipient(1)),5]").text)
        _ = try await hub.render(token, PayloadBody(message: "{}").text)
        _ = try await hub.renderLines(
            token, PayloadBody.line(1) + PayloadBody.line(2, provider: "3") + "[]\n{\n" + PayloadBody.line(3))
        let metrics = hub.router.metrics
        #expect(metrics.payloadsRendered == [Provider(rawValue: 1): 3, Provider(rawValue: 3): 1])
        #expect(metrics.payloadsRefused == ["invalid_fields": 2, "empty_payload": 1, "malformed_json": 1])
        #expect(metrics.messagesMinted == 4)
        #expect(metrics.linesRefused == 2)
    }
}
