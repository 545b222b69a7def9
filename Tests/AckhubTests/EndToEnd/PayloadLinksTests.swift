import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// What a sender does with a payload and a phone with its links, for every provider: the links lie in the finished payload,
/// through every nesting, and requesting them is counted for that message.
@Suite(.blocking)
struct PayloadLinksTests {
    @Test(.enabled(if: RealClientTests.isInstalled("curl") && RealClientTests.isInstalled("python3")))
    func everyProvidersPayloadLeadsToItsReport()
        throws
    {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        for provider in Provider.known {
            let answer = try hub.api("POST", "/v1/payloads", body: Self.request(provider))
            #expect(answer.status == 200, "\(provider.name): \(answer.summary)")
            let minted = try JSONValue(parsing: answer.body.span.bytes)
            let message = try #require(minted["messages"]?.items?.first)
            let uid = try #require(message["uid"]?.text)
            let links = try Self.links(in: try #require(message["payload"]))
            #expect(links.ack == message["hub_link"]?["ack"]?.text, "\(provider.name)")
            #expect(links.open == message["hub_link"]?["open"]?.text, "\(provider.name)")
            for link in [links.ack, links.open] {
                #expect(
                    try Self.run("curl", ["-s", "-w", "%{http_code}", hub.url + HubAddress.path(of: link)]) == "204")
            }
            let isCounted = waitUntil {
                guard let events = try? hub.json("/v1/messages/\(uid)")["events"]?.items else { return false }
                return events.compactMap { $0["kind"]?.text }.sorted() == ["ack", "open"]
            }
            #expect(isCounted, "\(provider.name)")
            let launch = try #require(minted["launch_id"]?.text)
            let row = try #require(try hub.json("/v1/reports/launches/\(launch)")["by_provider"]?.items?.first)
            #expect(row["provider"]?.text == provider.name)
            for name in ["sent", "acked", "opened", "delivered"] {
                #expect(row[name]?.int64 == 1, "\(provider.name) \(name)")
            }
        }
        #expect(hub.stop() == 0)
        #expect(try deployment.run(["reconcile"]).status == 0)
    }

    private static func request(_ provider: Provider) -> String {
        let message =
            switch provider.rawValue {
            case 20, 21: #"{"content": "Say \"hi\" \\ 👋🏽", "data": {"order": "{\"id\":\"1\"}"}}"#
            case 30, 31: #"{"title": "Say \"hi\" \\ 👋🏽", "body": "b", "data": {"order": 1}}"#
            default:
                #"{"title": "Say \"hi\" \\ 👋🏽", "body": "b", "appmetrica": {"group_id": 7}, "#
                    + #""buttons": [{"label": "\"OK\"", "link": "app://ok?q=%22"}], "data": {"order": "{\"id\":\"1\"}"}}"#
            }
        return """
            {"campaign_id": \(1_000 + Int(provider.rawValue)), "provider": "\(provider.name)", "message": \(message),
             "recipients": [{"profile_id": 42, "subscription_id": 43, "token": "token-1"}]}
            """
    }

    /// The two links, found by Python's parser in the payload and in every JSON text inside its strings.
    private static func links(in payload: JSONValue) throws -> (ack: String, open: String) {
        var json = JSONWriter()
        json.value(payload)
        let python = try ChildProcess("python3", ["-c", Self.finder])
        python.write(String(decoding: json.bytes, as: UTF8.self))
        python.closeInput()
        try #require(python.wait() == 0, "\(python.standardError)")
        let found = python.standardOutput.lines
        try #require(found.count == 2, "\(found)")
        return (found[0], found[1])
    }

    private static let finder = """
        import json, sys
        found = {"ack": set(), "open": set()}
        def walk(value, name=None):
            if isinstance(value, dict):
                for key, item in value.items(): walk(item, key)
            elif isinstance(value, list):
                for item in value: walk(item)
            elif isinstance(value, str):
                try: inner = json.loads(value)
                except ValueError: inner = None
                if isinstance(inner, (dict, list)): walk(inner)
                elif name in found: found[name].add(value)
        walk(json.load(sys.stdin))
        for kind in ("ack", "open"):
            for link in sorted(found[kind]): print(link)
        """

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = try ChildProcess(program, arguments)
        process.closeInput()
        try #require(process.wait() == 0, "\(program): \(process.standardError)")
        return process.standardOutput
    }
}
