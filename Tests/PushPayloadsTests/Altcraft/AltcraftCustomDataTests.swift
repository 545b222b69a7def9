import StrictJSON
import Testing

@testable import PushPayloads

/// Custom fields: base, then platform, then the system fields, which nobody can take the place of.
@Suite struct AltcraftCustomDataTests {
    @Test(arguments: AltcraftPayload.providers) func mergesThePlatformsDataOverTheBase(_ provider: String) throws {
        let payload = try AltcraftPayload(
            provider,
            """
            "android":{"data":{"both":"android","android_only":"x","tree":{"b":"android"}}},
            "ios":{"data":{"both":"ios","ios_only":"x","tree":{"b":"ios"}}},
            "data":{"first":"1","both":"base","tree":{"a":"base"},"last":"2","_extra":"e"}
            """)
        let platform = provider.hasPrefix("ios") ? "ios" : "android"
        #expect(payload.field("both") == .string(platform))
        #expect(payload.field("\(platform)_only") == .string("x"))
        #expect(payload.field(platform == "ios" ? "android_only" : "ios_only") == nil)
        // By name: an object is replaced as a whole.
        #expect(payload.field("tree/b") == .string(platform))
        #expect(payload.field("tree/a") == nil)
        #expect(payload.field("_extra") == .string("e"))
        let custom = ["first", "both", "tree", "last", "_extra", "\(platform)_only"]
        #expect(try payload.fields.map(\.name).suffix(custom.count) == custom)
    }

    /// FCM gives an Android app `message.android.data` in the place of `message.data`: a second map would say the same.
    @Test func writesFirebasesDataIntoTheAndroidMapAlone() throws {
        let payload = try AltcraftPayload("android-firebase", #""data":{"custom":"x"}"#)
        #expect(payload["message/android/data/custom"] == .string("x"))
        #expect(payload["message/data"] == nil)
    }

    /// Composed and decomposed, a name is two names in JSON.
    @Test func tellsNamesApartByBytes() throws {
        let payload = try AltcraftPayload(
            "ios-apns", #""data":{"caf\u00e9":"composed"},"ios":{"data":{"cafe\u0301":"decomposed"}}"#)
        #expect(try payload.fields.suffix(2).map(\.value) == [.string("composed"), .string("decomposed")])
    }

    private static let values: [(json: String, text: String)] = [
        (#""text""#, "text"), ("42", "42"), ("-1.50e3", "-1.50e3"), ("true", "true"), ("false", "false"),
        ("[]", "[]"), (#"[1, null, "\"q\""]"#, #"[1,null,"\"q\""]"#), (#"{"a": {"b": 1}}"#, #"{"a":{"b":1}}"#),
        ("12345678901234567890123", "12345678901234567890123"),
    ]

    @Test(arguments: AltcraftPayload.providers) func writesValuesAsTheShapeTakesThem(_ provider: String) throws {
        for (json, text) in Self.values {
            let payload = try AltcraftPayload(provider, #""data":{"custom":\#(json)}"#)
            let asItCame = try JSONValue(parsing: Array(json.utf8).span.bytes)
            let isMap = AltcraftPayload.dataMaps.contains(provider)
            #expect(payload.field("custom") == (isMap ? .string(text) : asItCame), "\(json)")
        }
    }

    private static let reserved = [
        "_ac_push", "_uid", "ak_uid", "_launch_id", "_title", "_subtitle", "_body", "_provider", "_icon",
        "_click_action",
        "_click-url", "_color", "_image", "_media", "_vibration", "_soundless", "_hub_link", "hub_link", "_buttons",
        "aps", "from", "message_type", "collapse_key", "google", "google.sent_time", "gcm", "gcm.notification.title",
        "google\\u0301x",
    ]

    @Test(arguments: AltcraftPayload.providers) func refusesSystemNamesInAllData(_ provider: String) {
        for name in Self.reserved {
            let shown = name.replacing("\\u0301", with: "\u{301}")
            for (open, close, pointer) in [
                ("", "", "/message/data"), (#""android":{"#, "}", "/message/android/data"),
                (#""ios":{"#, "}", "/message/ios/data"),
            ] {
                #expect(throws: Refused("\(pointer)/\(shown) reserved_name"), "\(provider)") {
                    try AltcraftPayload(provider, #"\#(open)"data":{"\#(name)":"x"}\#(close)"#)
                }
            }
        }
    }

    @Test func reservesIconAndMediaWhereTheyStandBesideCustomData() throws {
        for provider in AltcraftPayload.providers {
            for name in ["icon", "media"] {
                let fields = #""data":{"\#(name)":"x"}"#
                if provider == "ios-appmetrica" {
                    #expect(throws: Refused("/message/data/\(name) reserved_name")) {
                        try AltcraftPayload(provider, fields)
                    }
                } else {
                    #expect(try AltcraftPayload(provider, fields).field(name) == .string("x"), "\(provider)")
                }
            }
        }
    }

    @Test(arguments: AltcraftPayload.providers) func refusesBadNamesAndNulls(_ provider: String) {
        let long = String(repeating: "x", count: 257)
        for platform in ["android", "ios"] {
            #expect(
                throws: Refused(
                    "/message/\(platform)/data/ invalid", "/message/\(platform)/data/\(long.prefix(200)) invalid",
                    "/message/\(platform)/data/none type")
            ) {
                try AltcraftPayload(
                    provider, #""\#(platform)":{"data":{"":"x","\#(long)":"x","none":null,"inner":[null]}}"#)
            }
        }
    }
}
