import EventSpool
import EventStore
import HTTPFrontEnd
import MessageIDs
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// Pushwoosh's device calls, as the SDKs for iOS, Android and the web make them.
@Suite(.blocking)
struct DialectPushwooshTests {
    private static let methods: [(name: String, kind: EventKind)] = [
        ("messageDeliveryEvent", .ack), ("pushStat", .open),
    ]
    private static let success = #"{"status_code":200,"status_message":"OK","response":null}"#

    /// What each SDK sends becomes one event of the right kind, of the time of receipt, and is answered as it expects.
    @Test func storesWhatTheSDKsReport() async throws {
        let database = try await makeMigratedDatabase()
        try await RunningHub.run(database: database.url) { hub async throws in
            for (index, client) in PushwooshClient.all.enumerated() {
                let message = hub.message(Int64(index))
                for (method, kind) in Self.methods {
                    let answer = try await hub.pushwoosh(bytes: client.request(method, hash: message.text()))
                    #expect(answer.response.status == 200 && answer.response.text == Self.success)
                    #expect(answer.response.headers["content-type"] == "application/json")
                    #expect(answer.response.headers["cache-control"] == "no-store")
                    #expect(answer.response.headers["access-control-allow-origin"] == client.origin)
                    #expect(
                        answer.response.headers["access-control-allow-credentials"] == client.origin.map { _ in "true" }
                    )
                    #expect(answer.response.headers["vary"] == client.origin.map { _ in "Origin" })
                    let event = try #require(try await hub.stored(message)?.events.last)
                    #expect(event.kind == kind && event.dialect == .pushwoosh && event.eventClass == .human)
                    #expect(event.deviceAt == nil && event.userAgent == client.userAgent)
                }
                let report = try #require(try await hub.stored(message))
                #expect(report.events.count == 2 && report.message == message)
                #expect(report.ackedAt != nil && report.openedAt != nil)
            }
            let row = try await hub.hub.services.pool.run {
                try Reports.campaigns(
                    account: 1, from: nil, to: nil, includeTests: false, sort: .campaign, descending: false,
                    cursor: nil,
                    limit: 10, on: $0
                ).items.first?.row
            }
            #expect(row?.acked == 3 && row?.opened == 3 && row?.derived == 0)
        }
    }

    /// Spellings of the content type, forms of metaData and members of other versions make no difference.
    @Test func acceptsEverySpelling() async throws {
        try await RunningHub.run { hub async throws in
            let types = [
                "application/json", "application/json;charset=UTF-8", #"Application/JSON; charset="utf-8""#,
                "text/plain", "text/plain;charset=UTF-8", "text/plain; charset=utf-8",
            ]
            let metaData = [
                "", #","metaData":"{}""#, #","metaData":{"a":{"b":[1]}}"#, #","metaData":{"t":"\ud83d"}"#,
                #","metaData":null"#,
                #","inbox_code":"x","hash_":["y"],"v":7"#,
            ]
            for (index, type) in types.enumerated() {
                let message = hub.message(Int64(index))
                let body =
                    #"{"extra":1,"request":{"application":"A","hwid":"h","hash":"\#(message.text())"\#(metaData[index])}}"#
                let answer = try await hub.pushwoosh("/json/1.3/pushStat", body, fields: ["Content-Type: \(type)"])
                #expect(answer.response.text == Self.success, "\(type)")
            }
            let form = hub.message(9).text(.emailSafe).uppercased()
            let body = #"{"request":{"application":"A","hwid":"h","hash":"\#(form)"}}"#
            #expect(try await hub.pushwoosh("/json/1.3/pushStat", body).codes == [200, 200])
            #expect(hub.hub.spool.metrics.recordsAppended == 7)
        }
    }

    /// A push without a hash is not the hub's: done, and nothing to count.
    @Test func ignoresCallsWithoutAHash() async throws {
        try await RunningHub.run { hub async throws in
            for hash in ["", #","hash":"""#, #","hash":null"#] {
                for (method, _) in Self.methods {
                    let body = #"{"request":{"application":"A","hwid":"h"\#(hash)}}"#
                    #expect(try await hub.pushwoosh("/json/1.3/\(method)", body).response.text == Self.success)
                }
            }
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
            #expect(try await hub.metrics()["ackhub_ignored_events_total{dialect=\"pushwoosh\"}"] == 6)
        }
    }

    /// Every bad call has its answer, which no client takes for done or repeats for ever, and stores nothing.
    @Test func refusesWhatIsNotACall() async throws {
        try await RunningHub.run { hub async throws in
            let good = hub.message().text()
            func call(_ members: String) -> String { #"{"request":{\#(members)}}"# }
            let cases: [(String, [Int64])] = [
                ("", [400, 400]), ("{", [400, 400]), (call(#""application":"A""#) + "x", [400, 400]),
                (call(#""application":"A","hwid":"h","hash":"\#(good)","hash":"\#(good)""#), [400, 400]),
                (String(repeating: "[", count: 100) + String(repeating: "]", count: 100), [400, 400]),
                ("\u{0}" + call(""), [400, 400]), ("[]", [200, 210]), ("{}", [200, 210]), ("\"x\"", [200, 210]),
                (#"{"request":[]}"#, [200, 210]), (#"{"request":null}"#, [200, 210]), (call(""), [200, 210]),
                (call(#""hwid":"h","hash":"\#(good)""#), [200, 210]),
                (call(#""application":"A","hash":"\#(good)""#), [200, 210]),
                (call(#""application":"","hwid":"h","hash":"\#(good)""#), [200, 210]),
                (call(#""application":7,"hwid":"h","hash":"\#(good)""#), [200, 210]),
                (call(#""application":"A","hwid":{},"hash":"\#(good)""#), [200, 210]),
                (
                    call(#""application":"A","hwid":"\#(String(repeating: "h", count: 513))","hash":"\#(good)""#),
                    [200, 210]
                ),
                (call(#""application":"A","hwid":"h","hash":7"#), [200, 210]),
                (call(#""application":"A","hwid":"h","hash":"3!f""#), [200, 210]),
                (call(#""application":"A","hwid":"h","hash":"\#(good.dropLast())""#), [200, 210]),
                (call(#""application":"A","hwid":"h","hash":"\#(good)\u0000""#), [200, 210]),
                (call(#""application":"A","hwid":"h","hash":"\#(hub.message().uniqueText)""#), [200, 210]),
                (call(#""application":"\#(String(repeating: "a", count: 65_536))""#), [413, 413]),
            ]
            for (body, codes) in cases {
                for (method, _) in Self.methods {
                    let answer = try await hub.pushwoosh(
                        "/json/1.3/\(method)", body,
                        fields: ["Content-Type: application/json", "Origin: https://shop.example"])
                    #expect(answer.codes == codes, "\(body.prefix(200))")
                    #expect(answer.isHarmless)
                    #expect(answer.response.headers["access-control-allow-origin"] == "https://shop.example")
                }
            }
            let invalid = Array(#"{"request":{"application":"A","hwid":""#.utf8) + [0xC3, 0x28] + Array("\"}}".utf8)
            let bytes = PushwooshClient.request("/json/1.3/pushStat", PushwooshClient.iOS.fields, body: invalid)
            #expect(try await hub.pushwoosh(bytes: bytes).codes == [400, 400])
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
            let metrics = try await hub.metrics()
            for (reason, count) in [
                ("malformed", 13), ("invalid_argument", 26), ("unknown_message", 8), ("too_large", 2),
            ] {
                let sample = "ackhub_refused_reports_total{dialect=\"pushwoosh\",reason=\"\(reason)\"}"
                #expect(metrics[sample] == Double(count), "\(reason)")
            }
        }
    }

    /// A body that is not JSON by its own word is not guessed at.
    @Test(arguments: [
        ["Content-Type: application/x-www-form-urlencoded"], ["Content-Type: application/json; charset=iso-8859-1"], [],
        ["Content-Type: application/json", "Content-Encoding: gzip"],
    ])
    func refusesOtherMediaTypes(fields: [String]) async throws {
        try await RunningHub.run { hub async throws in
            let body = #"{"request":{"application":"A","hwid":"h","hash":"\#(hub.message().text())"}}"#
            let answer = try await hub.pushwoosh("/json/1.3/pushStat", body, fields: fields)
            #expect(answer.codes == [415, 415] && answer.isHarmless)
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }

    /// With a list of applications only those report, and only messages of their own account.
    @Test func tiesApplicationsToAccounts() async throws {
        let applications = { @Sendable (configuration: inout HubConfiguration) in
            #expect(PushwooshApplications.read("12345-67890=1, FFFFF-00000=2", &configuration) == nil)
        }
        try await RunningHub.run(configure: applications) { hub async throws in
            let cases: [(String, Int64, [Int64])] = [
                ("12345-67890", 1, [200, 200]), ("FFFFF-00000", 2, [200, 200]), ("12345-67890", 2, [200, 210]),
                ("FFFFF-00000", 1, [200, 210]), ("fffff-00000", 2, [403, 403]), ("AAAAA-AAAAA", 1, [403, 403]),
            ]
            for (application, account, codes) in cases {
                let hash = hub.message(account: account).text()
                let body = #"{"request":{"application":"\#(application)","hwid":"h","hash":"\#(hash)"}}"#
                let answer = try await hub.pushwoosh("/json/1.3/pushStat", body)
                #expect(answer.codes == codes && answer.isHarmless, "\(application) \(account)")
            }
            #expect(hub.hub.spool.metrics.recordsAppended == 2)
        }
    }

    /// What can't be made durable is refused in the form that iOS tries again; without PostgreSQL events are kept all the same.
    @Test func tellsWhatMaySucceedLater() async throws {
        let files = GatedFiles()
        try await RunningHub.run(files: files) { hub async throws in
            #expect(
                try await hub.pushwoosh(bytes: PushwooshClient.iOS.request("pushStat", hash: hub.message().text()))
                    .codes
                    == [200, 200])
            files.breakSyncs()
            for client in PushwooshClient.all {
                let answer = try await hub.pushwoosh(bytes: client.request("pushStat", hash: hub.message(2).text()))
                #expect(answer.codes == [503, 503] && answer.isHarmless)
                #expect(answer.response.headers["retry-after"] == "5")
                #expect(answer.response.headers["access-control-allow-origin"] == client.origin)
            }
        }
    }

    /// Browsers ask before they send Authorization; nothing is stored by that.
    @Test func answersPreflights() async throws {
        try await RunningHub.run { hub async throws in
            let asked = try await hub.exchange(
                "OPTIONS", "/json/1.3/pushStat",
                [
                    "Origin: https://shop.example", "Access-Control-Request-Method: POST",
                    "Access-Control-Request-Headers: authorization,content-type",
                ])
            #expect(asked.status == 204 && asked.body.isEmpty)
            let expected = [
                "access-control-allow-origin": "https://shop.example", "access-control-allow-credentials": "true",
                "access-control-allow-methods": "POST", "access-control-allow-headers": "Authorization, Content-Type",
                "access-control-max-age": "86400", "vary": "Origin", "cache-control": "no-store",
            ]
            for (name, value) in expected { #expect(asked.headers[name] == value, "\(name)") }
            let bare = try await hub.exchange("OPTIONS", "/json/1.3/messageDeliveryEvent")
            #expect(bare.status == 204 && bare.headers["allow"] == "POST, OPTIONS")
            #expect(!bare.headers.keys.contains { $0.hasPrefix("access-control-") })
            let odd = try await hub.exchange("OPTIONS", "/json/1.3/pushStat", ["Origin: https://a b"])
            #expect(odd.status == 204 && odd.headers["access-control-allow-origin"] == nil)
            #expect(hub.hub.spool.metrics.recordsAppended == 0)
        }
    }

    /// The SDKs' other calls, should they come here, get an answer that does not make iOS forget its base URL.
    @Test func answersOtherMethods() async throws {
        try await RunningHub.run { hub async throws in
            for method in ["registerDevice", "applicationOpen", "setTags", "getInboxMessages"] {
                let answer = try await hub.pushwoosh(bytes: PushwooshClient.iOS.request(method, hash: ""))
                #expect(answer.codes == [404, 404] && answer.isHarmless)
            }
        }
    }

    /// A replay has the name of its first report; another device, method or application has another.
    @Test func namesReports() async throws {
        try await RunningHub.run { hub async throws in
            let message = hub.message()
            func name(_ application: String, _ device: String, _ hash: String, _ kind: EventKind) throws -> UInt128? {
                let services = hub.hub.services
                let body = #"{"request":{"application":"\#(application)","hwid":"\#(device)","hash":"\#(hash)"}}"#
                var call = DialectCall(
                    services: services, authenticator: Authenticator(services: services, counters: APICounters()),
                    jwtKeys: JWTKeyCache(services: services, counters: DialectCounters()),
                    request: HTTPRequest(
                        method: .post, methodName: "POST", path: "/",
                        headers: [(name: "content-type", value: "application/json")],
                        peer: SocketAddress(text: "127.0.0.1:1")!), parameters: [:], receivedAt: 1)
                call.body = Array(body.utf8)
                return try PushwooshEvents.read(call, kind).events.first?.report
            }
            let first = try #require(try name("A", "h", message.text(), .open))
            #expect(try name("A", "h", message.text(), .open) == first)
            #expect(try name("A", "h", message.text(.emailSafe), .open) == first)
            #expect(try name("A", "h", message.text(), .ack) != first)
            #expect(try name("A", "i", message.text(), .open) != first)
            #expect(try name("B", "h", message.text(), .open) != first)
            #expect(try name("Ah", "i", message.text(), .open) != name("A", "hi", message.text(), .open))
        }
    }
}
