import HubLinks
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIMintTests {
    private static let launchedAt = "2026-03-01T08:00:00.123456789Z"

    /// The links open to exactly what was asked for, and the uid says the same.
    @Test func mintsWhatWasAskedFor() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let reply = try await hub.mint(
            token,
            """
            {"campaign_id": 7, "launched_at": "\(Self.launchedAt)", "resource_id": "5", "channel": "webpush",
             "provider": "iOS APNS", "test": true, "privacy": 1,
             "messages": [{"profile_id": 42, "subscription_id": "43", "sent_at": "2026-03-01T09:00:00.000000001+01:00"},
                          {"profile_id": "44", "subscription_id": 45, "sent_at": "2027-01-01T00:00:00Z"}]}
            """)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.header("content-type") == "application/json")
        let messages = try reply.json["messages"]?.items ?? []
        #expect(messages.count == 2)
        let launch = LaunchID(
            account: account, campaign: 7, launchedAt: try #require(UnixTime.nanoseconds(text: Self.launchedAt)))
        #expect(try reply.json["launch_id"]?.text == launch.text)
        let expected = [
            (42, 43, "2026-03-01T08:00:00.000000001Z"), (44, 45, "2027-01-01T00:00:00Z"),
        ].map { (profile: UInt128, subscription: Int64, sentAt: String) in
            SendMessageID(
                account: account, campaign: 7, resource: 5, channel: .webpush, subscription: subscription,
                profile: ProfileID(profile), sentAt: UnixTime.nanoseconds(text: sentAt) ?? 0,
                launchedAt: launch.launchedAt, provider: Provider(rawValue: 3), isTest: true, privacy: .maskAddress)
        }
        for (message, expected) in zip(messages, expected) {
            try Self.expect(message, opensTo: expected, in: hub)
        }
    }

    /// What is left out gets its default: push, no test, address kept, path links, and times near now of its own.
    @Test func fillsInDefaults() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let before = hub.services.now()
        let reply = try await hub.mint(
            try await hub.token(account),
            """
            {"campaign_id": 0, "provider": 1, "resource_id": null, "channel": null, "launched_at": null,
             "messages": [{"profile_id": 0, "subscription_id": 0}, {"profile_id": 0, "subscription_id": 0, "sent_at": null}]}
            """)
        let opened = try (reply.json["messages"]?.items ?? []).compactMap {
            try hub.open($0["hub_link", "ack"]?.text)?.1
        }
        #expect(opened.count == 2, "\(reply.text)")
        #expect(Set(opened.map(\.sentAt)).count == 2)
        #expect(Set(opened.map(\.launchedAt)).count == 1)
        for message in opened {
            #expect(message.account == account)
            #expect(message.channel == .push)
            #expect(message.provider == Provider(rawValue: 1))
            #expect(message.privacy == .keepAddress)
            #expect(!message.isTest)
            #expect(message.launchedAt + 10_000_000_000 > before)
            #expect(message.sentAt < before + 60_000_000_000)
        }
    }

    /// Ids of any size come out exactly as they went in, as numbers and as strings.
    @Test(arguments: [
        ("9007199254740993", "9007199254740993", "9007199254740993"),
        ("9223372036854775807", "340282366920938463463374607431768211455", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        (
            "\"9223372036854775807\"", "\"340282366920938463463374607431768211455\"",
            "ffffffff-ffff-ffff-ffff-ffffffffffff"
        ),
        ("\"0\"", "18446744073709551615", "18446744073709551615"),
        ("0", "18446744073709551616", "00000000-0000-0001-0000-000000000000"),
        ("1", "123456789012345678901234", "00000000-0000-1a24-9b1f-10a06c96aff2"),
        ("1", "\"0192F0A0-1234-7000-8000-0000000000Ff\"", "0192f0a0-1234-7000-8000-0000000000ff"),
        ("1", "\"507f1f77bcf86cd799439011\"", "00000000-507f-1f77-bcf8-6cd799439011"),
    ])
    func keepsIdsExact(id: String, profile: String, profileText: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = """
            {"campaign_id": \(id), "provider": 255, "resource_id": \(id), "channel": 200,
             "messages": [{"profile_id": \(profile), "subscription_id": \(id)}]}
            """
        let uid = try (await hub.mint(token, body).json)["messages"]?.items?.first?["uid"]?.text ?? ""
        let message = try (await hub.get("/v1/messages/\(uid)", token)).json
        let text = id.filter { $0 != "\"" }
        #expect(message["campaign_id"] == .string(text))
        #expect(message["resource_id"] == .string(text))
        #expect(message["subscription_id"] == .string(text))
        #expect(message["profile_id"] == .string(profileText))
        #expect(message["provider"] == .string("255"))
        #expect(message["channel"] == .string("200"))
    }

    /// The same faults are told in JSON and in a line: every one, each at its pointer.
    @Test(arguments: [
        ("", ["/campaign_id required", "/provider required"]),
        ("\"campaign_id\":null,\"provider\":null", ["/campaign_id required", "/provider required"]),
        (
            "\"campaign_id\":-1,\"provider\":\"carrier pigeon\"",
            ["/campaign_id out_of_range", "/provider unknown_value"]
        ),
        (
            "\"campaign_id\":9223372036854775808,\"provider\":256",
            ["/campaign_id out_of_range", "/provider unknown_value"]
        ),
        ("\"campaign_id\":1.0,\"provider\":1.5", ["/campaign_id invalid", "/provider unknown_value"]),
        ("\"campaign_id\":1e3,\"provider\":true", ["/campaign_id invalid", "/provider type"]),
        ("\"campaign_id\":\"+1\",\"provider\":\"\"", ["/campaign_id invalid", "/provider unknown_value"]),
        ("\"campaign_id\":\"\",\"provider\":[]", ["/campaign_id invalid", "/provider type"]),
        ("\"campaign_id\":{},\"provider\":1,\"Provider\":1", ["/campaign_id type", "/Provider unknown_field"]),
        ("\"campaign_id\":1,\"provider\":1,\"a/b~c\":1,\"\":2", ["/a~1b~0c unknown_field", "/ unknown_field"]),
        ("\"campaign_id\":1,\"provider\":1,\"launched_at\":1790000000", ["/launched_at type"]),
        ("\"campaign_id\":1,\"provider\":1,\"launched_at\":\"2026-03-01\"", ["/launched_at invalid"]),
        (
            "\"campaign_id\":1,\"provider\":1,\"launched_at\":\"2026-03-01T00:00:00.1234567890Z\"",
            ["/launched_at invalid"]
        ),
        ("\"campaign_id\":1,\"provider\":1,\"test\":1,\"privacy\":4", ["/test type", "/privacy unknown_value"]),
        ("\"campaign_id\":1,\"provider\":1,\"privacy\":true,\"style\":1", ["/privacy type", "/style type"]),
        (
            "\"campaign_id\":1,\"provider\":1,\"style\":\"Path\",\"channel\":\"fax\"",
            ["/style unknown_value", "/channel unknown_value"]
        ),
        ("\"campaign_id\":1,\"provider\":1,\"resource_id\":false", ["/resource_id type"]),
    ])
    func namesEveryBadField(fields: String, faults: [String]) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let comma = fields.isEmpty ? "" : ","
        let whole = try await hub.mint(
            token, "{\(fields)\(comma)\"messages\":[{\"profile_id\":1,\"subscription_id\":2}]}")
        #expect(whole.status == 422)
        #expect(whole.code == "invalid_fields")
        #expect(whole.faults.sorted() == faults.sorted())
        let line = try await hub.mintLines(token, "{\(fields)\(comma)\"profile_id\":1,\"subscription_id\":2}")
        let error = try line.lines.first?["error"]
        #expect(error?["code"] == .string("invalid_fields"))
        let lineFaults = (error?["errors"]?.items ?? []).map {
            "\($0["pointer"]?.text ?? "") \($0["code"]?.text ?? "")"
        }
        #expect(lineFaults.sorted() == faults.sorted())
    }

    /// Faults inside messages carry the message's index; the messages themselves are required.
    @Test(arguments: [
        ("", ["/messages required"]), (",\"messages\":null", ["/messages required"]),
        (",\"messages\":[]", ["/messages empty"]), (",\"messages\":{}", ["/messages type"]),
        (
            ",\"messages\":[1,{}]",
            ["/messages/0 type", "/messages/1/profile_id required", "/messages/1/subscription_id required"]
        ),
        (
            ",\"messages\":[{\"profile_id\":1,\"subscription_id\":2},{\"profile_id\":\"x\",\"subscription_id\":-1,\"sent_at\":\"now\",\"uid\":1}]",
            [
                "/messages/1/profile_id invalid", "/messages/1/subscription_id out_of_range",
                "/messages/1/sent_at invalid", "/messages/1/uid unknown_field",
            ]
        ),
        (
            ",\"messages\":[{\"profile_id\":340282366920938463463374607431768211456,\"subscription_id\":9223372036854775808}]",
            ["/messages/0/profile_id invalid", "/messages/0/subscription_id out_of_range"]
        ),
        (",\"messages\":[{\"profile_id\":-1,\"subscription_id\":1}]", ["/messages/0/profile_id invalid"]),
        (
            ",\"messages\":[{\"profile_id\":1,\"subscription_id\":1,\"campaign_id\":1}]",
            ["/messages/0/campaign_id unknown_field"]
        ),
    ])
    func pointsIntoMessages(messages: String, faults: [String]) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let reply = try await hub.mint(token, "{\"campaign_id\":1,\"provider\":1\(messages)}")
        #expect(reply.status == 422)
        #expect(reply.faults == faults)
    }

    /// A flood of faults is counted in full and listed in part.
    @Test func boundsTheListOfFaults() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let zeros = [String](repeating: "0", count: 20_000).joined(separator: ",")
        let reply = try await hub.mint(token, "{\"campaign_id\":1,\"provider\":1,\"messages\":[\(zeros)]}")
        #expect(reply.status == 422)
        #expect(reply.faults.count == FieldFaults.listedMax)
        #expect(try reply.json["errors_total"] == .number("20000"))
    }

    /// Anonymous messages hold neither profile nor subscription, and given times that are equal are told apart.
    @Test func keepsAnonymousMessagesApart() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let message = "{\"profile_id\":42,\"subscription_id\":43,\"sent_at\":\"\(Self.launchedAt)\"}"
        let reply = try await hub.mint(
            token, "{\"campaign_id\":1,\"provider\":1,\"privacy\":\"anonymous\",\"messages\":[\(message),\(message)]}")
        let opened = try (reply.json["messages"]?.items ?? []).compactMap {
            try hub.open($0["hub_link", "open"]?.text)?.1
        }
        #expect(opened.count == 2)
        #expect(Set(opened.map(\.sentAt)).count == 2)
        #expect(opened.allSatisfy { $0.profile == ProfileID(0) && $0.subscription == 0 && $0.privacy == .anonymous })
    }

    /// Both link styles are given on request.
    @Test func mintsBothStyles() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        for (style, part) in [("path", "/ack/"), ("crypto_post_events", "/api/v1.1/pushes/crypto_post_events?/")] {
            let body = """
                {"campaign_id":1,"provider":1,"style":"\(style)","messages":[{"profile_id":1,"subscription_id":2}]}
                """
            let link = try (await hub.mint(token, body).json)["messages"]?.items?.first?["hub_link", "ack"]?.text
            #expect(link?.hasPrefix("https://hub.example" + part) == true)
            #expect(try hub.open(link)?.0 == .ack)
        }
    }

    /// An answer of many pieces is one JSON text, in the order of the request, and all of it is counted.
    @Test func mintsTenThousandInOneRequest() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let messages = (0..<10_000).map { "{\"profile_id\":\($0),\"subscription_id\":\($0)}" }.joined(separator: ",")
        let reply = try await hub.mint(
            token, "{\"campaign_id\":1,\"provider\":\"ios-apns\",\"messages\":[\(messages)]}")
        let json = try reply.json
        let subscriptions = try (json["messages"]?.items ?? []).map {
            try SendMessageID(text: $0["uid"]?.text ?? "").subscription
        }
        #expect(subscriptions == Array(0..<10_000))
        let totals = try await hub.totals(json["launch_id"]?.text ?? "", token)
        #expect(totals["sent"] == .number("10000"))
    }

    static func expect(_ answer: JSONValue, opensTo message: SendMessageID, in hub: APITestHub) throws {
        #expect(answer["uid"]?.text == message.text(.full))
        #expect(answer["launch_id"]?.text == message.launch.text)
        let (ack, open) = (answer["hub_link", "ack"]?.text, answer["hub_link", "open"]?.text)
        let (ackKind, ackMessage) = try #require(try hub.open(ack))
        let (openKind, openMessage) = try #require(try hub.open(open))
        #expect(ackKind == .ack)
        #expect(openKind == .open)
        #expect(ackMessage == message)
        #expect(openMessage == message)
        #expect(answer["link_bytes"] == .number("\((ack ?? "").utf8.count + (open ?? "").utf8.count)"))
    }
}
