import EventStore
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIProblemTests {
    private static let json = "application/json"
    private static let links =
        "{\"campaign_id\":1,\"provider\":1,\"messages\":[{\"profile_id\":1,\"subscription_id\":1}]}"
    private static let launch = "/v1/launches/2_4S_4HFn8RDhhmA/sent"

    /// Every way to miss an endpoint has its status and code, and the checks come in their order.
    @Test(arguments: [
        ("GET", "/", 404, "unknown_path"),
        ("GET", "/v1", 404, "unknown_path"),
        ("GET", "/v1/links/", 404, "unknown_path"),
        ("GET", "//v1/decode", 404, "unknown_path"),
        ("GET", "/V1/decode", 404, "unknown_path"),
        ("GET", "/v1/messages/", 404, "unknown_path"),
        ("GET", "/v1/messages/a/b", 404, "unknown_path"),
        ("GET", "/v1/messages/%zz", 404, "unknown_path"),
        ("GET", "/v1/links", 405, "method_not_allowed"),
        ("PUT", "/v1/links", 405, "method_not_allowed"),
        ("BREW", "/v1/decode", 405, "method_not_allowed"),
        ("POST", "/v1/decode", 405, "method_not_allowed"),
        ("GET", launch, 405, "method_not_allowed"),
        ("GET", "/v1/messages/T1", 404, "unknown_message"),
        ("GET", "/v1/messages/U1", 404, "unknown_message"),
        ("GET", "/v1/messages/0192f0a0-0000-8000-8000-000000000001", 404, "unknown_message"),
        ("GET", "/v1/reports/launches/nothing", 404, "unknown_launch"),
        ("GET", "/v1/decode", 422, "invalid_parameters"),
        ("GET", "/v1/decode?id=", 422, "invalid_parameters"),
        ("GET", "/v1/decode?id=T1&what=1", 422, "invalid_parameters"),
    ])
    func answersEveryMissWithItsCode(method: String, target: String, status: Int, code: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let reply = try await hub.send(method, target, token: token)
        #expect(reply.status == status)
        #expect(reply.code == code)
        #expect(reply.header("content-type") == "application/problem+json")
    }

    /// What a sender puts into the query instead of the body is refused, not ignored: a test would be sent for real.
    @Test(arguments: ["/v1/links", launch]) func takesNoQueryWithABody(path: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(1)
        let body = path == Self.launch ? "{\"provider\":1,\"count\":1}" : Self.links
        for type in path == Self.launch ? [Self.json] : [Self.json, "application/x-ndjson"] {
            let reply = try await hub.send(
                "POST", path + "?test=true", token: token, headers: ["content-type": type], body: body)
            #expect(reply.status == 422)
            #expect(reply.faults == ["test unknown_parameter"])
        }
    }

    /// A problem has RFC 9457's members, and no cache keeps it.
    @Test func writesProblemDetails() async throws {
        let hub = try await APITestHub.shared()
        let reply = try await hub.send("GET", "/v1/decode", token: nil)
        let json = try reply.json
        #expect(json["type"] == .string("about:blank"))
        #expect(json["title"] == .string("Unauthorized"))
        #expect(json["status"] == .number("401"))
        #expect(json["code"] == .string("missing_token"))
        #expect(json["detail"]?.text?.isEmpty == false)
        #expect(reply.header("cache-control") == "no-store")
        #expect(reply.header("www-authenticate")?.hasPrefix("Bearer") == true)
    }

    /// 405 names what the path takes.
    @Test func namesTheAllowedMethods() async throws {
        let hub = try await APITestHub.shared()
        #expect(try await hub.send("DELETE", "/v1/links", token: nil).header("allow") == "POST")
        #expect(try await hub.send("DELETE", "/v1/decode", token: nil).header("allow") == "GET, HEAD")
    }

    /// HEAD answers as GET without the body.
    @Test func answersHeadAsGet() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let get = try await hub.get("/v1/decode?id=2_4S_4HFn8RDhhmA", try await hub.token(1))
        let head = try await hub.send("HEAD", "/v1/decode?id=2_4S_4HFn8RDhhmA", token: try await hub.token(1))
        #expect(get.status == 200)
        #expect(head.status == 200)
        #expect(head.header("content-length") == get.header("content-length"))
        #expect(head.body.isEmpty)
        #expect(try await hub.send("HEAD", "/v1/reports/launches/nothing", token: token).status == 404)
    }

    /// A token that is missing, unknown, of another scope or of another account is refused, each in its way.
    @Test func tellsTokensApart() async throws {
        let hub = try await APITestHub.shared()
        let account = APITestHub.newAccount()
        let mint = try await hub.token(account, [.mint])
        let report = try await hub.token(account, [.report])
        let target = "/v1/reports/campaigns"
        #expect(try await hub.send("GET", target, token: nil).status == 401)
        let unknown = try await hub.send("GET", target, token: "ackhub_2222222222222222222222222222222222222222222")
        #expect(unknown.status == 401)
        #expect(unknown.code == "invalid_token")
        #expect(unknown.header("www-authenticate")?.contains("invalid_token") == true)
        let scope = try await hub.get(target, mint)
        #expect(scope.status == 403)
        #expect(scope.code == "insufficient_scope")
        #expect(scope.header("www-authenticate")?.contains("scope=\"report\"") == true)
        #expect(try await hub.get(target, report).status == 200)
        #expect(try await hub.mint(report, "{}").code == "insufficient_scope")
        // Account 1's launch.
        #expect(try await hub.get("/v1/reports/launches/2_4S_4HFn8RDhhmA", report).code == "wrong_account")
        let sent = try await hub.send("POST", Self.launch, token: mint, body: "{}")
        #expect(sent.status == 403)
        #expect(sent.code == "wrong_account")
        #expect(try await hub.get("/v1/decode?id=2_4S_4HFn8RDhhmA", report).code == "wrong_account")
    }

    /// Only JSON in UTF-8, as it is, is read; parameters of the type do not matter else.
    @Test(arguments: [
        ("application/json", "", true), ("Application/JSON ; charset=\"UTF-8\"", "", true),
        ("application/json;charset=utf-8", "identity", true), ("", "", false), ("text/plain", "", false),
        ("application/x-www-form-urlencoded", "", false), ("application/json; charset=latin1", "", false),
        ("application/json", "gzip", false), ("application/jsonp", "", false), ("; charset=utf-8", "", false),
    ])
    func readsOnlyJSON(type: String, encoding: String, isRead: Bool) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let headers = ["content-type": type, "content-encoding": encoding]
        let reply = try await hub.send("POST", "/v1/links", token: token, headers: headers, body: "[")
        #expect(reply.status == (isRead ? 400 : 415))
        #expect(reply.code == (isRead ? "malformed_json" : "unsupported_media_type"))
        if !isRead { #expect(reply.header("accept-post") == "application/json, application/x-ndjson") }
    }

    /// Broken JSON is answered with the offset of the break.
    @Test(arguments: [("", 0), ("{", 1), ("{\"a\":1,}", 7), ("{\"a\":1,\"a\":2}", 7), ("{} x", 3), ("\u{FEFF}{}", 0)])
    func tellsWhereJSONBreaks(body: String, offset: Int) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let reply = try await hub.mint(token, body)
        #expect(reply.status == 400)
        #expect(reply.code == "malformed_json")
        #expect(try reply.json["offset"] == .number("\(offset)"))
    }

    /// A body beyond 8 MiB is refused: unread when its length is declared, else when it has come so far.
    @Test func refusesALargeBody() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let head =
            "POST /v1/links HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \(token)\r\ncontent-type: \(Self.json)\r\n"
        let declared = try hub.connect()
        try await declared.send(head + "expect: 100-continue\r\ncontent-length: \((8 << 20) + 1)\r\n\r\n")
        var reader = APITestReader(declared)
        #expect(try await reader.reply().code == "body_too_large")

        let chunked = try hub.connect()
        let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
        try await chunked.send(head + "transfer-encoding: chunked\r\n\r\n")
        // It may stop reading before all is sent.
        async let sending: Void? = try? chunked.send(String(repeating: chunk, count: 129) + "0\r\n\r\n")
        reader = APITestReader(chunked)
        #expect(try await reader.reply().status == 413)
        _ = await sending
    }

    /// Each answer is counted by its route's template and status, whatever the path held.
    @Test func countsAnswersByTemplate() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let key = APIRouteStatus(route: "/v1/messages/{uid}", status: 404)
        let before = hub.router.metrics.responses[key] ?? 0
        for uid in ["Tx", "Ty", "Uz"] { _ = try await hub.get("/v1/messages/\(uid)", token) }
        #expect(hub.router.metrics.responses[key] ?? 0 >= before + 3)
        #expect(hub.router.metrics.responses.keys.allSatisfy { !$0.route.contains("Tx") })
    }
}
