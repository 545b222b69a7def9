import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// One message, reported by every road there is: one delivery, one open, and all roads listed.
@Suite(.blocking)
struct RoadsTests {
    @Test func everyRoadLeadsToOneOpen() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let gateway = try deployment.token(["--scopes", "ingest"])
        let role = try deployment.token(["--role"])
        let mobileKey = try deployment.token(["--mobile-key"])
        let body = """
            {"campaign_id": 7, "provider": "carillon-android", "message": {"title": "T"},
             "recipients": [{"profile_id": 42, "subscription_id": 43, "token": "t"}]}
            """
        let answer = try hub.api("POST", "/v1/payloads", body: body)
        let minted = try JSONValue(parsing: answer.body.span.bytes)
        let message = try #require(minted["messages"]?.items?.first)
        let uid = try #require(message["uid"]?.text)
        let stamp = try #require(message["payload"]?["message"]?["data"]?["carillon"]?.text)
        let carillon = try JSONValue(parsing: Array(stamp.utf8).span.bytes)
        let delivery = try #require(carillon["delivery_id"]?.text)
        let links = try #require(message["hub_link"])

        let json = "Content-Type: application/json"
        let pushwoosh = #"{"request":{"application":"A-1","hwid":"h","device_type":3,"hash":"\#(uid)"}}"#
        let calls: [Call] = [
            Call("/api/v1.1/pushes/post_events", [json], #"{"token":"\#(gateway)","events":3,"uid":"\#(uid)"}"#),
            Call(
                "/event/push/delivery?matching_mode=push_sub",
                [json, "Authorization: Bearer rtoken@\(role)", "Request-ID: 1"],
                #"{"time":1790000000,"smid":"\#(uid)"}"#),
            Call(
                "/event/push/open?matching_mode=push_sub",
                [json, "Authorization: Bearer rtoken@\(role)", "Request-ID: 2"],
                #"{"time":1790000000,"smid":"\#(uid)"}"#),
            Call("/json/1.3/messageDeliveryEvent", [json], pushwoosh),
            Call("/json/1.3/pushStat", [json], pushwoosh),
            Call(
                "/v1/events", [json, "Authorization: Bearer \(mobileKey)"],
                #"{"events":[{"type":"received","delivery_id":"\#(delivery)"},"#
                    + #"{"type":"opened","delivery_id":"\#(delivery)"}]}"#),
        ]
        for kind in ["ack", "open"] { #expect(hub.hit(links[kind]?.text ?? "") == 204) }
        try hub.report(calls)
        let sources = ["link", "post_events", "msdk", "pushwoosh", "carillon"]
        #expect(hub.waitForEvents(of: uid, count: 2 * sources.count))

        // What a client sends again because an answer was lost adds nothing; a link's second request is a second request.
        try hub.report(calls.reversed())
        #expect(hub.hit(links["open"]?.text ?? "") == 204)
        #expect(hub.waitForEvents(of: uid, count: 2 * sources.count + 1))
        #expect(waitUntil { (try? hub.metric("ackhub_loader_repeated_reports_total")) == 8 })
        let stored = try hub.json("/v1/messages/\(uid)")
        #expect(stored["sources"]?.items?.compactMap(\.text) == sources)
        let launch = try #require(minted["launch_id"]?.text)
        let row = try #require(try hub.json("/v1/reports/launches/\(launch)")["totals"])
        for (name, count) in ["sent": 1, "delivered": 1, "acked": 1, "derived": 0, "opened": 1] {
            #expect(row[name]?.int64 == Int64(count), "\(name)")
        }
        #expect(row["acks_total"]?.int64 == Int64(sources.count))
        #expect(row["opens_total"]?.int64 == Int64(sources.count) + 1)
        #expect(hub.stop() == 0)
        #expect(try deployment.run(["reconcile"]).status == 0)
    }
}

private struct Call {
    let path: String
    let fields: [String]
    let body: String

    init(_ path: String, _ fields: [String], _ body: String) {
        self.path = path
        self.fields = fields
        self.body = body
    }
}

extension TestHub {
    fileprivate func report(_ calls: [Call]) throws {
        for call in calls {
            let answer = try OneRequest.send(
                "POST", call.path, port: self.port, fields: call.fields, body: Array(call.body.utf8))
            #expect(answer.status == 200 || answer.status == 202, "\(call.path): \(answer.summary)")
        }
    }

    fileprivate func waitForEvents(of uid: String, count: Int) -> Bool {
        waitUntil {
            let message = try? self.json("/v1/messages/\(uid)")
            return message?["events"]?.items?.count == count
        }
    }
}

extension Deployment {
    /// A new token of account 1.
    fileprivate func token(_ allowance: [String]) throws -> String {
        try self.run(["tokens", "create", "--account", "1"] + allowance).requireSuccess().output.trimmed
    }
}
