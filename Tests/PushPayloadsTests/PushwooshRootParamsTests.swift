import StrictJSON
import Testing

@testable import PushPayloads

/// `android_root_params` and `ios_root_params`: what is refused in them, what they become.
@Suite struct PushwooshRootParamsTests {
    static let reserved: [(params: String, names: [String])] = [
        (
            "android_root_params",
            [
                "p", "u", "l", "rm", "b", "i", "ci", "ibc", "led", "pri", "vib", "s", "header", "title", "pw_msg",
                "pw_badges", "pw_silent", "userdata", "_hub_link", "ak_uid", "from", "message_type", "collapse_key",
                "google.ttl", "googlex", "gcm", "gcm.notification.title",
            ]
        ),
        ("ios_root_params", ["p", "l", "rm", "u", "pw_msg", "_hub_link", "ak_uid"]),
    ]

    @Test(arguments: PushwooshFieldTests.platforms) func refusesNamesThatTheHubOrTheProviderWrites(_ platform: String) {
        for (params, names) in Self.reserved {
            for name in names {
                #expect(throws: Refused("/message/\(params)/\(name) reserved_name")) {
                    try Rendered(platform, "{\"content\":\"x\",\"\(params)\":{\"\(name)\":\"mine\"}}")
                }
            }
        }
    }

    /// The names that are refused are those that are written, in both forms.
    @Test(arguments: [
        ("pushwoosh-android", PushwooshRootParams.androidKeys), ("pushwoosh-ios", PushwooshRootParams.iosKeys),
    ])
    func reservesWhatThePayloadHas(_ platform: String, _ keys: Set<String>) throws {
        let message = ##"""
            {"content":"c","rich_media":"ab-c","link":"a:b","data":{},"android_sound":"s","android_header":"h",
             "android_icon":"i","android_custom_icon":"https://a.example","android_banner":"https://a.example",
             "android_badges":1,"android_gcm_ttl":1,"android_vibration":1,"android_led":"#000000","android_priority":1,
             "android_delivery_priority":"high","android_ibc":"red","android_silent":1,"ios_badges":1,"ios_sound":"s",
             "ios_ttl":1,"ios_category_id":"c","ios_title":"t","ios_subtitle":"s"}
            """##
        var written: Set<String> = []
        for isDocumented in [false, true] {
            var request = Rendered.Request(platform, message)
            request.isDocumented = isDocumented
            request.hasAkUID = true
            written.formUnion(try #require(Rendered(request).json.members).map(\.name))
        }
        // FCM's own are reserved by their prefix; the sender's `aps` is merged.
        #expect(written.filter { !CustomData.isReservedByFCM($0) && $0 != "aps" } == keys)
    }

    static let refused: [(params: String, json: String, fault: String)] = [
        ("android_root_params", "{\"a\":null}", "/a type"), ("android_root_params", "{\"\":1}", "/ invalid"),
        (
            "android_root_params", "{\"\(String(repeating: "n", count: 257))\":1}",
            "/\(String(repeating: "n", count: 200)) invalid"
        ),
        ("ios_root_params", "{\"a\":null}", "/a type"), ("ios_root_params", "{\"\":1}", "/ invalid"),
        ("ios_root_params", "{\"aps\":null}", "/aps type"), ("ios_root_params", "{\"aps\":\"{}\"}", "/aps type"),
        ("ios_root_params", "{\"aps\":{\"thread-id\":null}}", "/aps/thread-id type"),
        ("ios_root_params", "{\"aps\":{\"alert\":1}}", "/aps/alert type"),
        ("ios_root_params", "{\"aps\":{\"content-available\":\"yes\"}}", "/aps/content-available invalid"),
        ("ios_root_params", "{\"aps\":{\"mutable-content\":2}}", "/aps/mutable-content out_of_range"),
        ("ios_root_params", "{\"aps\":{\"badge\":\"+1\"}}", "/aps/badge invalid"),
    ]

    @Test(arguments: PushwooshFieldTests.platforms, refused)
    func refusesWhatTheProviderWouldNotTake(_ platform: String, _ row: (params: String, json: String, fault: String)) {
        #expect(throws: Refused("/message/\(row.params)\(row.fault)")) {
            try Rendered(platform, "{\"content\":\"x\",\"\(row.params)\":\(row.json)}")
        }
    }

    @Test func androidPutsThemFirstAndMakesThemStrings() throws {
        let rendered = try Rendered(
            "pushwoosh-android",
            """
            {"content":"x","android_root_params":
             {"pw_channel":"news","count":9007199254740993,"ratio":1.50e+2,"flag":true,"list":[1,{"a":null}],
              "object":{}}}
            """)
        let start = #"""
            {"pw_channel":"news","count":"9007199254740993","ratio":"1.50e+2","flag":"true","list":"[1,{\"a\":null}]",
            "object":"{}","title":"x","pw_msg":"1"
            """#
        #expect(rendered.payload.hasPrefix(start.replacing("\n", with: "")))
    }

    @Test func iosKeepsThemAsTheyCameBehindAps() throws {
        let rendered = try Rendered(
            "pushwoosh-ios",
            #"{"content":"x","ios_root_params":{"attachment":"a.png","n":1.50e+2,"aps":{},"data":{"k":[null]}}}"#)
        let aps = #"{"aps":{"alert":{"body":"x"},"mutable-content":1},"#
        let start = aps + #""attachment":"a.png","n":1.50e+2,"data":{"k":[null]},"p":"#
        #expect(rendered.payload.hasPrefix(start))
    }

    /// The document's example gives `"0"` and shows 0.
    @Test func numbersInApsThatCameAsStringsBecomeNumbers() throws {
        let rendered = try Rendered(
            "pushwoosh-ios",
            #"{"content":"x","ios_root_params":{"aps":{"content-available":"0","mutable-content":"1","badge":"007"}}}"#)
        let aps = #"{"aps":{"alert":{"body":"x"},"badge":7,"content-available":0,"mutable-content":1}"#
        #expect(rendered.payload.hasPrefix(aps))
    }

    @Test func theSendersApsWinsMemberByMember() throws {
        let rendered = try Rendered(
            "pushwoosh-ios",
            #"""
            {"content":"body","ios_title":"title","ios_badges":5,"ios_sound":"a.wav","ios_root_params":{"aps":
             {"thread-id":"t","sound":{"name":"b.wav","volume":0.5},"badge":6,"alert":{"body":"mine","loc-key":"k"},
              "mutable-content":0}}}
            """#)
        let aps = #"""
            {"aps":{"alert":{"title":"title","body":"mine","loc-key":"k"},"badge":6,
            "sound":{"name":"b.wav","volume":0.5},"mutable-content":0,"thread-id":"t"},"p":
            """#
        #expect(rendered.payload.hasPrefix(aps.replacing("\n", with: "")))
    }

    @Test func namesThatDifferInTheirBytesOnlyAreKeptApart() throws {
        let rendered = try Rendered(
            "pushwoosh-ios",
            #"{"content":"x","ios_root_params":{"aps":{"e\#u{301}":1,"\#u{e9}":2},"e\#u{301}":3,"\#u{e9}":4}}"#)
        #expect(rendered["aps", "e\u{301}"] == .number("1"))
        #expect(rendered["aps", "\u{e9}"] == .number("2"))
        #expect(rendered["e\u{301}"] == .number("3"))
        #expect(rendered["\u{e9}"] == .number("4"))
    }
}
