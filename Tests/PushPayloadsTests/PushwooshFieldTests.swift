import Testing

@testable import PushPayloads

/// What createMessage's fields may be. Both platforms' renderers read all of them, so each row is tried on both.
@Suite struct PushwooshFieldTests {
    static let platforms = ["pushwoosh-android", "pushwoosh-ios"]

    struct Value: Sendable, CustomTestStringConvertible {
        var field: String
        var json: String
        var code = ""
        var testDescription: String { "\(self.field) \(self.json.prefix(60))" }

        init(_ field: String, _ json: String, _ code: String = "") {
            self.field = field
            self.json = json
            self.code = code
        }

        /// A message that is right but for this field.
        var message: String {
            self.field == "content"
                ? "{\"content\":\(self.json)}" : "{\"content\":\"x\",\"\(self.field)\":\(self.json)}"
        }
    }

    private static func quoted(_ count: Int) -> String { "\"" + String(repeating: "x", count: count) + "\"" }

    private static let flags = [
        "ignore_user_timezone", "android_vibration", "android_silent", "ios_silent", "apns_trim_content",
        "ios_trim_content",
    ]
    private static let texts = [
        ("content", 4096), ("android_header", 4096), ("ios_title", 4096), ("ios_subtitle", 4096),
    ]
    private static let names = [
        ("android_sound", 256), ("android_icon", 256), ("ios_sound", 256), ("ios_category_id", 256),
    ]

    private static let refusedKinds: [[Value]] = [
        flags.flatMap { flag in
            [
                Value(flag, "2", "out_of_range"), Value(flag, "-1", "out_of_range"), Value(flag, "\"yes\"", "invalid"),
                Value(flag, "1.0", "invalid"), Value(flag, "[]", "type"),
            ]
        },
        (texts + names).flatMap { field, bytesMax in
            [
                Value(field, quoted(bytesMax + 1), "too_long"), Value(field, "1", "type"), Value(field, "{}", "type"),
                Value(field, "[\"x\"]", "type"),
            ]
        },
        ["android_gcm_ttl", "ios_ttl"].flatMap { field in
            [
                Value(field, "-1", "out_of_range"), Value(field, "2419201", "out_of_range"),
                Value(field, "\"3600s\"", "invalid"), Value(field, "true", "type"),
            ]
        },
        ["android_custom_icon", "android_banner"].flatMap { field in
            [
                // The document's own example is plain http, which phones no longer load.
                Value(field, "\"http://example.com/banner.png\"", "invalid_image_url"),
                Value(field, "\"banner.png\"", "invalid_image_url"), Value(field, "\"\"", "invalid_image_url"),
                Value(field, "1", "type"),
            ]
        },
    ]

    private static let refusedValues: [Value] = [
        Value("content", "{\"en\":\"hello\"}", "type"),
        Value("rich_media", "\"1E23FEDCD6\"", "invalid"), Value("rich_media", "\"1E-23-F\"", "invalid"),
        Value("rich_media", "\"1-E23F\"", "invalid"), Value("rich_media", "\"1E23F-\"", "invalid"),
        Value("rich_media", "\"1E23F-ED/D6\"", "invalid"), Value("rich_media", "\"\"", "invalid"),
        Value("rich_media", "\"é123F-EDCD6\"", "invalid"),
        Value("rich_media", "\"12345678901234567-123456789012345\"", "invalid"), Value("rich_media", "1", "type"),
        Value("link", "\"example.com\"", "invalid"), Value("link", "\"https://a b\"", "invalid"),
        Value("link", "\"https://a:port/\"", "invalid"), Value("link", "1", "type"),
        Value("data", "\"{}\"", "type"), Value("data", "[]", "type"), Value("data", "1", "type"),
        Value("android_badges", "1000", "out_of_range"), Value("android_badges", "-1", "out_of_range"),
        Value("android_badges", "\"+1000\"", "out_of_range"), Value("android_badges", "\"+\"", "invalid"),
        Value("android_badges", "\"+-1\"", "out_of_range"), Value("android_badges", "\"--1\"", "out_of_range"),
        Value("android_badges", "\"five\"", "invalid"), Value("android_badges", "true", "type"),
        Value("ios_badges", "1000", "out_of_range"), Value("ios_badges", "-1", "out_of_range"),
        Value("ios_badges", "\"+1\"", "invalid"), Value("ios_badges", "5.0", "invalid"),
        Value("android_led", "\"#F00\"", "invalid"), Value("android_led", "\"#80FF0000\"", "invalid"),
        Value("android_led", "\"red\"", "invalid"), Value("android_led", "1", "type"),
        Value("android_priority", "3", "out_of_range"), Value("android_priority", "-3", "out_of_range"),
        Value("android_priority", "\"high\"", "invalid"), Value("android_priority", "1.5", "invalid"),
        Value("android_delivery_priority", "\"urgent\"", "unknown_value"),
        Value("android_delivery_priority", "\"\"", "unknown_value"),
        Value("android_delivery_priority", "1", "type"),
        Value("android_ibc", "\"#F00\"", "invalid"), Value("android_ibc", "\"light red\"", "invalid"),
        Value("android_ibc", "\"\"", "invalid"), Value("android_ibc", quoted(33), "invalid"),
        Value("android_ibc", "\"rød\"", "invalid"), Value("android_ibc", "1", "type"),
        Value("send_date", "\"tomorrow\"", "invalid"), Value("send_date", "\"2026-02-29 10:00\"", "invalid"),
        Value("send_date", "\"2100-02-29 10:00\"", "invalid"),
        Value("send_date", "\"2026-13-01 10:00\"", "invalid"),
        Value("send_date", "\"2026-00-01 10:00\"", "invalid"),
        Value("send_date", "\"2026-01-00 10:00\"", "invalid"),
        Value("send_date", "\"2026-04-31 10:00\"", "invalid"),
        Value("send_date", "\"2026-01-01 24:00\"", "invalid"),
        Value("send_date", "\"2026-01-01 10:60\"", "invalid"), Value("send_date", "\"2026-01-01\"", "invalid"),
        Value("send_date", "\"2026-01-01 10:00:60\"", "invalid"),
        Value("send_date", "\"2026-1-1 10:00\"", "invalid"),
        Value("send_date", "\"2026-01-01T10:00\"", "invalid"), Value("send_date", "\"\"", "invalid"),
        Value("send_date", "1790000000", "type"),
        Value("title", "\"x\"", "unknown_field"), Value("android_title", "null", "unknown_field"),
        Value("auth", "\"x\"", "unknown_field"), Value("Content", "\"x\"", "unknown_field"),
        Value("android_root_params", "[]", "type"), Value("ios_root_params", "\"{}\"", "type"),
    ]

    static let refused: [Value] = refusedKinds.flatMap { $0 } + refusedValues

    @Test(arguments: platforms, refused) func refusesAValueThatIsNotTheFields(_ platform: String, _ value: Value) {
        #expect(throws: Refused("/message/\(value.field) \(value.code)")) { try Rendered(platform, value.message) }
    }

    private static let acceptedKinds: [[Value]] = [
        flags.flatMap { flag in ["true", "false", "0", "1", "\"0\"", "\"1\"", "null"].map { Value(flag, $0) } },
        names.flatMap { field, bytesMax in [quoted(bytesMax), "\"\"", "null"].map { Value(field, $0) } },
        ["android_header", "ios_title", "ios_subtitle"].flatMap { field in
            [quoted(3000), "\"\"", "null"].map { Value(field, $0) }
        },
        ["android_root_params", "ios_root_params"].flatMap { field in
            ["{}", "{\"k\":[1,{}]}", "null"].map { Value(field, $0) }
        },
        ["android_custom_icon", "android_banner"].flatMap { field in
            ["\"https://example.com/i.png\"", "null"].map { Value(field, $0) }
        },
        ["android_gcm_ttl", "ios_ttl"].flatMap { field in
            ["0", "2419200", "\"3600\"", "null"].map { Value(field, $0) }
        },
    ]

    private static let acceptedValues: [Value] = [
        Value("content", quoted(3000)), Value("rich_media", "\"ab-c\""),
        Value("rich_media", "\"1234567890123456-123456789012345\""), Value("link", "\"app://page/1\""),
        Value("data", "{}"), Value("data", "{\"\":null}"), Value("android_badges", "0"),
        Value("android_badges", "\"999\""), Value("android_badges", "\"+999\""), Value("android_badges", "\"-1\""),
        Value("ios_badges", "0"), Value("ios_badges", "\"999\""), Value("android_led", "\"#00ff7F\""),
        Value("android_priority", "-2"), Value("android_priority", "\"2\""), Value("android_ibc", "\"#80ff0000\""),
        Value("android_ibc", "\"#FF0000\""), Value("android_ibc", "\"DarkRed\""),
        Value("android_delivery_priority", "\"normal\""), Value("android_delivery_priority", "\"HIGH\""),
        Value("ios_root_params", "{\"aps\":{\"alert\":\"x\"}}"),
        Value("send_date", "\"now\""), Value("send_date", "\"2028-02-29 23:59\""),
        Value("send_date", "\"2000-02-29 00:00:59\""), Value("send_date", "null"),
    ]

    static let accepted: [Value] = acceptedKinds.flatMap { $0 } + acceptedValues

    @Test func everyFieldHasValuesThatAreAcceptedAndRefused() {
        let unknown: Set = ["title", "android_title", "auth", "Content"]
        #expect(Set(Self.accepted.map(\.field)) == Set(Self.refused.map(\.field)).subtracting(unknown))
    }

    @Test(arguments: platforms, accepted) func acceptsAValueOfTheField(_ platform: String, _ value: Value) throws {
        _ = try Rendered(platform, value.message)
    }

    /// On the other platform, where the payload has no place for it.
    @Test(arguments: [
        ("pushwoosh-ios", "android_header"), ("pushwoosh-android", "ios_title"), ("pushwoosh-android", "ios_subtitle"),
    ]) func acceptsATextOfAsManyBytesAsItMayHave(_ platform: String, _ field: String) throws {
        _ = try Rendered(platform, Value(field, Self.quoted(4096)).message)
    }

    @Test(arguments: platforms, ["1", "[]", "null", "\"content\""])
    func refusesAMessageThatIsNoObject(_ platform: String, _ message: String) {
        #expect(throws: Refused("/message type")) { try Rendered(platform, message) }
    }

    @Test(arguments: platforms) func findsEveryFaultAtOnce(_ platform: String) {
        let message = """
            {"content":1,"ios_badges":"many","android_led":"red","nonsense":0,
             "android_root_params":{"p":"mine"},"ios_root_params":{"aps":[]}}
            """
        let refused = Refused(
            "/message/content type", "/message/ios_badges invalid", "/message/android_led invalid",
            "/message/nonsense unknown_field", "/message/android_root_params/p reserved_name",
            "/message/ios_root_params/aps type")
        #expect(throws: refused) { try Rendered(platform, message) }
    }

    @Test(arguments: platforms, ["send_date", "ignore_user_timezone"])
    func writesNowhereWhenToSend(_ platform: String, _ field: String) throws {
        let value = field == "send_date" ? "\"2026-09-21 10:00\"" : "true"
        let with = try Rendered(platform, "{\"content\":\"x\",\"\(field)\":\(value)}")
        let without = try Rendered(platform, "{\"content\":\"x\"}")
        #expect(with.payload == without.payload)
        #expect(with.delivery == without.delivery)
    }
}
