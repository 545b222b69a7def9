import EventSpool
import EventStore
import HubLinks
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIReportTests {
    private static let rowKeys = [
        "sent", "delivered", "acked", "derived", "opened", "opens_total", "acks_total", "delivery_rate", "open_rate",
        "sent_incomplete",
    ]

    /// A launch's report holds design section 9's rows, every key present, rates null where there is nothing to divide by.
    @Test func reportsALaunch() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let minted = try await Self.mint(hub, token, campaign: 7, count: 4)
        let launch = minted[0].launch
        #expect(try await hub.totals(launch.text, token)["open_rate"] == .null)
        // The first acks and opens, the second only opens, twice; a bot opens the third.
        try await Self.append(
            hub,
            [
                (.ack, minted[0], .human), (.open, minted[0], .human), (.open, minted[1], .human),
                (.open, minted[1], .proxy),
                (.open, minted[2], .bot),
            ])
        try await hub.settle()
        let reply = try await hub.get("/v1/reports/launches/\(launch.text)", token)
        let report = try reply.json
        #expect(reply.header("cache-control") == "no-store")
        #expect(report["launch_id"] == .string(launch.text))
        #expect(report["account_id"] == .string("\(account)"))
        #expect(report["campaign_id"] == .string("7"))
        #expect(report["launched_at"] == .string(UnixTime.text(nanoseconds: launch.launchedAt)))
        let totals = report["totals"]
        #expect(totals?.members?.map(\.name) == Self.rowKeys)
        let expected = ["4", "2", "1", "1", "2"]
        #expect(Self.rowKeys.prefix(5).map { totals?[$0] } == expected.map { .number($0) })
        #expect(totals?["delivery_rate"] == .number("0.5"))
        #expect(totals?["open_rate"] == .number("1"))
        #expect(totals?["sent_incomplete"] == .bool(false))
        #expect(report["by_provider"]?.items?.map { $0["provider"] } == [.string("android-firebase")])
        let classes = report["by_class"]?.items ?? []
        #expect(classes.first { $0["class"] == .string("bot") }?["opens_total"] == .number("1"))
    }

    /// More deliveries than known sends: no rate above 1, but a flag.
    @Test func claimsNoRateAboveOne() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let message = SendMessageID(
            account: account, campaign: 1, resource: 0, channel: .push, subscription: 1, profile: ProfileID(1),
            sentAt: 1_790_000_000_000_000_000, launchedAt: 1_790_000_000_000_000_000, provider: Provider(rawValue: 1),
            isTest: false, privacy: .keepAddress)
        try await Self.append(hub, [(.open, message, .human)])
        let totals = try await hub.totals(message.launch.text, token)
        #expect(totals["delivered"] == .number("1"))
        #expect(totals["delivery_rate"] == .null)
        #expect(totals["sent_incomplete"] == .bool(true))
    }

    /// A launch of which nothing is known is 404, one of another account 403.
    @Test func tellsUnknownFromForeign() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let unknown = LaunchID(account: account, campaign: 1, launchedAt: 1).text
        #expect(try await hub.get("/v1/reports/launches/\(unknown)", token).code == "unknown_launch")
        let foreign = LaunchID(account: account + 1_000_000, campaign: 1, launchedAt: 1).text
        #expect(try await hub.get("/v1/reports/launches/\(foreign)", token).status == 403)
        #expect(try await hub.get("/v1/reports/launches/\(unknown)?test=yes", token).faults == ["test unknown_value"])
    }

    /// Campaigns come in pages that meet without gap or overlap, in the order asked for, and only of the token's account.
    @Test func pagesThroughCampaigns() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        for campaign in 1...7 {
            _ = try await Self.mint(
                hub, token, campaign: campaign, count: campaign, launchedAt: "2026-03-0\(campaign)T00:00:00Z")
        }
        try await hub.settle()
        for (sort, order) in [
            ("", [7, 6, 5, 4, 3, 2, 1]), ("sort=sent&", [1, 2, 3, 4, 5, 6, 7]),
            ("sort=-campaign_id&", [7, 6, 5, 4, 3, 2, 1]),
        ] {
            var (campaigns, cursor, pages) = ([String](), "", 0)
            repeat {
                let page = try await hub.get("/v1/reports/campaigns?\(sort)limit=3\(cursor)", token).json
                let items = page["items"]?.items ?? []
                #expect(items.count <= 3)
                campaigns += items.compactMap { $0["campaign_id"]?.text }
                cursor = page["next_cursor"]?.text.map { "&cursor=\($0)" } ?? ""
                pages += 1
            } while !cursor.isEmpty && pages < 9
            #expect(campaigns == order.map(String.init), "\(sort)")
        }
        let some = try await hub.get("/v1/reports/campaigns?from=2026-03-03&to=2026-03-05&sort=campaign_id", token).json
        let items = some["items"]?.items ?? []
        #expect(items.compactMap { $0["campaign_id"]?.text } == ["3", "4"])
        #expect(some["next_cursor"] == .null)
        #expect(items.first?["sent"] == .number("3"))
        #expect(items.first?["launches"] == .number("1"))
        #expect(items.first?["last_launched_at"] == .string("2026-03-03T00:00:00Z"))
        #expect(items.first?.members?.map(\.name).suffix(10) == Self.rowKeys[...])
    }

    /// Every bad query parameter is named at once, and a cursor of another query is refused.
    @Test func namesEveryBadParameter() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let target =
            "/v1/reports/campaigns?from=x&to=2026-13-01&tz=Nowhere/City&sort=size&limit=0&cursor=!&test=no&page=2"
        let reply = try await hub.get(target, token)
        #expect(reply.status == 422)
        #expect(
            Set(reply.faults) == [
                "page unknown_parameter", "from invalid", "to invalid", "tz unknown_value", "sort unknown_value",
                "limit out_of_range", "cursor invalid", "test unknown_value",
            ])
        for limit in ["501", "-1", "1.5", "", "9223372036854775808"] {
            #expect(try await hub.get("/v1/reports/campaigns?limit=\(limit)", token).status == 422, "\(limit)")
        }
        for campaign in 1...2 { _ = try await Self.mint(hub, token, campaign: campaign, count: 1) }
        try await hub.settle()
        let cursor = try (await hub.get("/v1/reports/campaigns?limit=1", token)).json["next_cursor"]?.text ?? ""
        #expect(try await hub.get("/v1/reports/campaigns?limit=1&cursor=\(cursor)", token).status == 200)
        #expect(
            try await hub.get("/v1/reports/campaigns?limit=1&sort=sent&cursor=\(cursor)", token).faults == [
                "cursor invalid"
            ])
        #expect(
            try await hub.get("/v1/reports/campaigns?limit=1&cursor=\(cursor.dropLast())", token).faults == [
                "cursor invalid"
            ])
    }

    /// A cursor that keeps its mark but is cut, longer or changed behind it is refused like any other bad one.
    @Test func refusesATamperedCursor() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        for campaign in 1...2 { _ = try await Self.mint(hub, token, campaign: campaign, count: 1) }
        try await hub.settle()
        let cursor = try (await hub.get("/v1/reports/campaigns?limit=1", token)).json["next_cursor"]?.text ?? ""
        let bytes = try #require(Base64URL.decode(cursor))
        var tampered: [[UInt8]] = [Array(bytes.prefix(4)), Array(bytes.dropLast()), bytes + [0]]
        // The version, the order, the campaign's sign.
        for place in [4, 5, bytes.count - 1] {
            var changed = bytes
            changed[place] = 0xFF
            tampered.append(changed)
        }
        for bytes in tampered {
            let target = "/v1/reports/campaigns?limit=1&cursor=\(Base64URL.encode(bytes))"
            #expect(try await hub.get(target, token).faults == ["cursor invalid"], "\(bytes)")
        }
    }

    /// A message is found by each of its names, with its events in order.
    @Test func showsAMessage() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let token = try await hub.token(account)
        let message = try await Self.mint(hub, token, campaign: 9, count: 1)[0]
        let names = [message.text(.full), message.text(.emailSafe), message.uniqueText, message.messageKey.text]
        // Nothing happened yet: its Full id still says what it is, its key says nothing.
        let fresh = try await hub.get("/v1/messages/\(names[0])", token)
        #expect(fresh.status == 200)
        #expect(try fresh.json["events"] == .array([]))
        #expect(try fresh.json["acked_at"] == .null)
        #expect(try await hub.get("/v1/messages/\(names[3])", token).code == "unknown_message")

        try await Self.append(hub, [(.ack, message, .human), (.open, message, .bot), (.open, message, .human)])
        try await hub.settle()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for name in names { group.addTask { try await hub.get("/v1/messages/\(name)", token).text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        let json = try await hub.get("/v1/messages/\(names[2])", token).json
        #expect(json["uid"] == .string(names[0]))
        #expect(json["unique_id"] == .string(names[2]))
        #expect(json["message_key"] == .string(names[3]))
        #expect(json["sent_at"] == .string(UnixTime.text(nanoseconds: message.sentAt)))
        #expect(json["acked_at"]?.text?.hasPrefix("20") == true)
        #expect(json["opened_at"]?.text?.hasPrefix("20") == true)
        let events = json["events"]?.items ?? []
        #expect(events.count == 3)
        #expect(Set(events.map { "\($0["kind"]?.text ?? "") \($0["class"]?.text ?? "")" }).count == 3)
        #expect(events.filter { $0["first"] == .bool(true) }.count == 2)
        #expect(events.allSatisfy { $0["dialect"] == .string("link") && $0["user_agent"] == .string("test/1") })

        let stranger = try await hub.token(APITestHub.newAccount())
        for name in names.prefix(3) { #expect(try await hub.get("/v1/messages/\(name)", stranger).status == 403) }
        #expect(try await hub.get("/v1/messages/\(names[3])", stranger).status == 404)
    }

    /// Ids and links of every form are explained to their account only.
    @Test func decodesIdsAndLinks() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let (token, stranger) = (try await hub.token(account), try await hub.token(APITestHub.newAccount()))
        let message = try await Self.mint(hub, token, campaign: 9, count: 1)[0]
        let minter = try LinkMinter(
            keyRing: hub.services.keyRing, publicURL: "https://hub.example", style: .cryptoPostEvents)
        let links = minter.mint(message)
        for (text, family) in [
            (message.text(.full), "full"), (message.text(.emailSafe), "email-safe"), (message.uniqueText, "unique"),
            (message.launch.text, "launch"), (links.open, "link"), (String(links.open.dropFirst(19)), "link"),
        ] {
            let reply = try await hub.get("/v1/decode?id=\(text)", token)
            #expect(reply.status == 200)
            #expect(try reply.json["family"] == .string(family))
            #expect(try await hub.get("/v1/decode?id=\(text)", stranger).status == 403, "\(family)")
        }
        let link = try await hub.get("/v1/decode?id=\(links.ack)", token).json
        #expect(link["kind"] == .string("ack"))
        #expect(link["message", "uid"] == .string(message.text(.full)))
        #expect(link["expired"] == .bool(false))
        #expect(link["key_id"] != nil)
        for damaged in [
            "T\(message.text(.full))", String(links.ack.dropLast()), "https://hub.example/", "what", "1_1_1_1",
        ] {
            let reply = try await hub.get("/v1/decode?id=\(damaged)", token)
            #expect(reply.faults == ["id invalid"], "\(damaged)")
        }
    }

    private static func mint(
        _ hub: APITestHub, _ token: String, campaign: Int, count: Int, launchedAt: String? = nil
    ) async throws -> [SendMessageID] {
        let messages = (0..<count).map { "{\"profile_id\":\($0),\"subscription_id\":\($0)}" }.joined(separator: ",")
        let launched = launchedAt.map { "\"launched_at\":\"\($0)\"," } ?? ""
        let reply = try await hub.mint(
            token, "{\"campaign_id\":\(campaign),\(launched)\"provider\":1,\"messages\":[\(messages)]}")
        return try (reply.json["messages"]?.items ?? []).map { try SendMessageID(text: $0["uid"]?.text ?? "") }
    }

    private static func append(
        _ hub: APITestHub, _ events: [(EventKind, SendMessageID, EventClass)]
    ) async throws {
        let records = events.map { kind, message, eventClass in
            var record: [UInt8] = []
            Event(kind: kind, message: message, receivedAt: hub.services.now(), dialect: .link, eventClass: eventClass)
                .appendRecord(userAgent: Array("test/1".utf8).span.bytes, to: &record)
            return record
        }
        #expect(await hub.services.spool.append(records) == nil)
    }
}
