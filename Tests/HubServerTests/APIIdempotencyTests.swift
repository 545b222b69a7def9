import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIIdempotencyTests {
    private static let body = """
        {"campaign_id":1,"provider":1,"messages":[{"profile_id":1,"subscription_id":1},{"profile_id":2,"subscription_id":2}]}
        """

    private static func lines(_ count: Int, minutes: Int = 0) -> String {
        (0..<count).map { number in
            let sentAt = UnixTime.text(nanoseconds: 1_790_000_000_000_000_000 + UInt64(number) * 7_000_000_000)
            let given = minutes > 0 ? ",\"sent_at\":\"\(sentAt)\"" : ""
            return "{\"campaign_id\":1,\"provider\":1,\"profile_id\":1,\"subscription_id\":\(number)\(given)}\n"
        }.joined()
    }

    /// A repeat gives the same bytes and is counted once; without the key it is another launch.
    @Test func repeatsJSONByteForByte() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let first = try await hub.mint(token, Self.body, key: "k1")
        #expect(first.status == 200, "\(first.text)")
        for _ in 0..<3 { #expect(try await hub.mint(token, Self.body, key: "k1").text == first.text) }
        #expect(try await hub.mint(token, Self.body, key: "k2").text != first.text)
        #expect(try await hub.mint(token, Self.body).text != first.text)
        let launch = try first.json["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("2"))
    }

    /// Only the send time tells anonymous messages apart: that of a request with a key is taken like any other.
    @Test func keepsItsAnonymousTimesToItself() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        func body(_ sentAt: String) -> String {
            """
            {"campaign_id":1,"provider":1,"privacy":3,"launched_at":"2026-03-01T08:00:00Z",
             "messages":[{"profile_id":1,"subscription_id":1\(sentAt)}]}
            """
        }
        func minted(_ reply: APITestReply) throws -> SendMessageID {
            try SendMessageID(text: reply.json["messages"]?.items?.first?["uid"]?.text ?? "")
        }
        let first = try minted(try await hub.mint(token, body(""), key: "anonymous"))
        let again = try minted(try await hub.mint(token, body(""), key: "anonymous"))
        #expect(again == first)
        let sentAt = ",\"sent_at\":\"\(UnixTime.text(nanoseconds: first.sentAt))\""
        let other = try minted(try await hub.mint(token, body(sentAt)))
        #expect(other.sentAt > first.sentAt)
    }

    /// Repeats at the same time agree too.
    @Test func agreesOnParallelRepeats() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await hub.mint(token, Self.body, key: "same").text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        let launch = try JSONValue(parsing: Array(texts.first?.utf8 ?? "{}".utf8).span.bytes)["launch_id"]?.text ?? ""
        #expect(try await hub.totals(launch, token)["sent"] == .number("2"))
    }

    /// A stream repeats as well, also after a part of it only; what was counted is counted once, whatever the minutes of
    /// sending.
    @Test(arguments: [0, 1])
    func repeatsStreams(minutes: Int) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let part = try await hub.mintLines(token, Self.lines(700, minutes: minutes), key: "stream")
        let whole = try await hub.mintLines(token, Self.lines(2_500, minutes: minutes), key: "stream")
        let again = try await hub.mintLines(token, Self.lines(2_500, minutes: minutes), key: "stream")
        #expect(whole.text == again.text)
        #expect(whole.text.hasPrefix(part.text))
        let lines = try whole.lines
        #expect(lines.count == 2_500)
        let totals = try await hub.totals(lines[0]["launch_id"]?.text ?? "", token)
        #expect(totals["sent"] == .number("2500"))
    }

    /// Anonymous messages with a given time repeat too.
    @Test func repeatsAnonymousMessages() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let message = "{\"profile_id\":1,\"subscription_id\":1,\"sent_at\":\"2026-03-01T00:00:00Z\"}"
        let body = "{\"campaign_id\":1,\"provider\":1,\"privacy\":3,\"messages\":[\(message),\(message)]}"
        let first = try await hub.mint(token, body, key: "anonymous")
        #expect(try await hub.mint(token, body, key: "anonymous").text == first.text)
        #expect(Set(try first.json["messages"]?.items?.compactMap { $0["uid"]?.text } ?? []).count == 2)
    }

    /// The key with another body, type or path is refused, and nothing is counted; another account's key is its own.
    @Test func refusesAReusedKey() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let first = try await hub.mint(token, Self.body, key: "k")
        let launch = try first.json["launch_id"]?.text ?? ""
        let other = try await hub.mint(token, Self.body + " ", key: "k")
        #expect(other.status == 422)
        #expect(other.code == "idempotency_key_reused")
        #expect(try await hub.mintLines(token, Self.lines(1), key: "k").code == "idempotency_key_reused")
        let sent = try await hub.send(
            "POST", "/v1/launches/\(launch)/sent", token: token, headers: ["idempotency-key": "k"],
            body: "{\"provider\":1,\"count\":5}")
        #expect(sent.code == "idempotency_key_reused")
        #expect(try await hub.totals(launch, token)["sent"] == .number("2"))
        let stranger = try await hub.token(APITestHub.newAccount())
        #expect(try await hub.mint(stranger, Self.body + " ", key: "k").status == 200)
    }

    /// A key is 1 to 255 printable characters.
    @Test(arguments: [(1, true), (255, true), (256, false)])
    func boundsTheKey(length: Int, isTaken: Bool) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let reply = try await hub.mint(token, Self.body, key: String(repeating: "k", count: length))
        #expect(reply.status == (isTaken ? 200 : 400))
        if !isTaken { #expect(reply.code == "invalid_idempotency_key") }
    }
}
