import StrictJSON
import Testing

@testable import PushPayloads

@Suite struct CarillonIOSTests {
    private func rendered(_ message: String) throws -> Rendered { try Rendered("carillon-ios", message) }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8).span.bytes) }

    @Test func customDataAreTopLevelKeysAsTheyCame() throws {
        let rendered = try self.rendered(
            #"{"title":"T","data":{"s":"1","n":1.50,"e":1E3,"b":true,"é":0,"e\#u{301}":1}}"#)
        #expect(rendered["s"] == .string("1"))
        #expect(rendered["n"] == .number("1.50"))
        #expect(rendered["e"] == .number("1E3"))
        #expect(rendered["b"] == .bool(true))
        // Two names by their bytes, one by Unicode's equivalence.
        #expect(rendered["é"] == .number("0"))
        #expect(rendered["e\u{301}"] == .number("1"))
    }

    @Test(arguments: [
        (#"{"title":"T"}"#, #""default""#), (#"{"title":"T","sound":"bell.caf"}"#, #""bell.caf""#),
        (#"{"apns":{"a":1}}"#, #""default""#),
        (
            #"{"title":"T","sound":"s","apns":{"aps":{"sound":{"critical":1,"name":"a","volume":0.5}}}}"#,
            #"{"critical":1,"name":"a","volume":0.5}"#
        ),
    ])
    func everyNotificationCarriesASound(_ message: String, _ sound: String) throws {
        #expect(try self.rendered(message)["aps", "sound"] == self.json(sound))
    }

    /// Message, override, and what `aps` is in the end.
    @Test(arguments: [
        // An alert's member replaces the generated one and keeps the others.
        (
            #""title":"T","body":"B""#, #"{"aps":{"alert":{"title":"O"}}}"#,
            #"{"alert":{"title":"O","body":"B"},"sound":"default"}"#
        ),
        (
            #""title":"T","body":"B""#, #"{"aps":{"alert":{"loc-args":["a"]}}}"#,
            #"{"alert":{"title":"T","body":"B","loc-args":["a"]},"sound":"default"}"#
        ),
        // What is no object replaces the generated alert as a whole.
        (#""title":"T","body":"B""#, #"{"aps":{"alert":"O"}}"#, #"{"alert":"O","sound":"default"}"#),
        (#""title":"T","body":"B""#, #"{"aps":{"alert":["O"]}}"#, #"{"alert":["O"],"sound":"default"}"#),
        (#""title":"T","body":"B""#, #"{"aps":{"alert":null}}"#, #"{"alert":null,"sound":"default"}"#),
        (
            #""title":"T""#, #"{"aps":{"interruption-level":"time-sensitive","thread-id":"flight-AF1234"}}"#,
            #"{"alert":{"title":"T"},"sound":"default","interruption-level":"time-sensitive","thread-id":"flight-AF1234"}"#
        ),
        (
            #""title":"T","thread_id":"t","badge":3"#, #"{"aps":{"badge":0,"thread-id":"o"}}"#,
            #"{"alert":{"title":"T"},"badge":0,"sound":"default","thread-id":"o"}"#
        ),
        (
            #""title":"T","image":"https://a.example/i""#, #"{"aps":{"mutable-content":0}}"#,
            #"{"alert":{"title":"T"},"sound":"default","mutable-content":0}"#
        ),
        (#""ttl":1"#, #"{"aps":{"alert":"only raw"}}"#, #"{"sound":"default","alert":"only raw"}"#),
    ])
    func theRawOverrideIsMergedOverTheGenerated(_ fields: String, _ override: String, _ aps: String) throws {
        #expect(try self.rendered("{\(fields),\"apns\":\(override)}")["aps"] == self.json(aps))
    }

    @Test func theRawOverrideReachesCustomDataToo() throws {
        let rendered = try self.rendered(#"{"title":"T","data":{"a":1,"b":2},"apns":{"a":{"deep":[null]},"c":null}}"#)
        #expect(rendered["a"] == .object([JSONMember(name: "deep", value: .array([.null]))]))
        #expect(rendered["b"] == .number("2"))
        #expect(rendered["c"] == .null)
    }

    /// Message, then apns-expiration, -priority, -push-type, -collapse-id.
    @Test(
        arguments: [
            (#""title":"T""#, ["1790259200", "10", "alert", nil]),
            (
                #""title":"T","ttl":3600,"priority":"normal","collapse_id":"c"#
                    + "\"", ["1790003600", "5", "alert", "c"]
            ),
            (#""title":"T","ttl":0,"priority":"high""#, ["0", "10", "alert", nil]),
            // A background notification shows nothing, plays nothing, and may not have priority 10.
            (#""apns":{"aps":{"content-available":1,"sound":null}}"#, ["1790259200", "5", "background", nil]),
            // 1, however it is written.
            (#""apns":{"aps":{"content-available":1.0,"sound":null}}"#, ["1790259200", "5", "background", nil]),
            (#""apns":{"aps":{"content-available":1e0,"sound":null}}"#, ["1790259200", "5", "background", nil]),
            (#""apns":{"aps":{"content-available":10E-1,"sound":null}}"#, ["1790259200", "5", "background", nil]),
            (#""apns":{"aps":{"content-available":1.5,"sound":null}}"#, ["1790259200", "10", "alert", nil]),
            (#""apns":{"aps":{"content-available":"1","sound":null}}"#, ["1790259200", "10", "alert", nil]),
            (#""apns":{"aps":{"content-available":1}}"#, ["1790259200", "10", "alert", nil]),
            (#""title":"T","apns":{"aps":{"content-available":1,"sound":null}}"#, ["1790259200", "10", "alert", nil]),
            (#""badge":0,"apns":{"aps":{"content-available":1,"sound":null}}"#, ["1790259200", "10", "alert", nil]),
            (#""apns":{"aps":{"content-available":0,"sound":null}}"#, ["1790259200", "10", "alert", nil]),
            (#""apns":{"aps":null}"#, ["1790259200", "10", "alert", nil]),
        ] as [(String, [String?])])
    func headerFieldsGoBesideThePayload(_ fields: String, _ expected: [String?]) throws {
        let rendered = try self.rendered("{\(fields)}")
        let delivery = try self.json(try #require(rendered.delivery))
        let names = ["apns-expiration", "apns-priority", "apns-push-type", "apns-collapse-id"]
        #expect(names.map { delivery[$0]?.text } == expected)
        #expect(delivery.members?.count == expected.count { $0 != nil })
    }

    @Test func aTopicIsRefused() {
        var request = Rendered.Request("carillon-ios", #"{"title":"T"}"#)
        for provider in CarillonFieldTests.platforms {
            request.provider = Rendered.Request(provider, "").provider
            request.token = "/topics/news"
            #expect(throws: Refused("/message invalid")) { try Rendered(request) }
        }
    }
}
