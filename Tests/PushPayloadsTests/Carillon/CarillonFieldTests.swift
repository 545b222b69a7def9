import StrictJSON
import Testing

@testable import PushPayloads

/// What of a Carillon message is refused, the same for both platforms, before anything is laid out.
@Suite struct CarillonFieldTests {
    static let platforms = ["carillon-android", "carillon-ios"]

    private func expect(_ message: String, _ faults: String..., at location: SourceLocation = #_sourceLocation) {
        for platform in Self.platforms {
            let refused = #expect(throws: Refused.self, "\(platform)", sourceLocation: location) {
                try Rendered(platform, message)
            }
            #expect(refused?.faults == faults, "\(platform)", sourceLocation: location)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"title":null,"body":null,"apns":null}"#, #"{"title":"","body":""}"#, #"{"apns":{}}"#,
        #"{"apns":{"carillon":{},"_hub_link":1,"ak_uid":1}}"#,
        #"{"subtitle":"S","image":"https://a.example/i.png","data":{"a":1},"badge":1}"#,
        #"{"android":{"notification":{"title":"T"}}}"#, #"{"localizations":{"fr":{"title":"T","body":"B"}}}"#,
    ])
    func aPayloadWithoutTitleBodyAndOverrideIsEmpty(_ message: String) {
        self.expect(message, "/message empty_payload")
    }

    @Test(arguments: [#"{"title":"T"}"#, #"{"body":"B"}"#, #"{"apns":{"aps":{"badge":1}}}"#])
    func aTitleABodyOrAnOverrideIsEnough(_ message: String) throws {
        for platform in Self.platforms { _ = try Rendered(platform, message) }
    }

    @Test func aFaultyTitleIsNotAnEmptyPayloadToo() {
        self.expect(#"{"title":1}"#, "/message/title type")
    }

    @Test(arguments: ["[]", "null", "\"title\"", "1"]) func aMessageIsAnObject(_ message: String) {
        self.expect(message, "/message type")
    }

    /// Field, value, code: each beside a title that is right.
    static let refusals: [(String, String, String)] = [
        ("titel", "\"T\"", "unknown_field"), ("click_url", "\"https://a.example\"", "unknown_field"),
        ("dedup_key", "\"k\"", "unknown_field"),
        ("body", "1", "type"), ("body", "\"" + String(repeating: "b", count: 4097) + "\"", "payload_too_large"),
        ("subtitle", "{}", "type"),
        ("subtitle", "\"" + String(repeating: "é", count: 2049) + "\"", "payload_too_large"),
        ("image", "\"http://a.example/i.png\"", "invalid_image_url"), ("image", "\"\"", "invalid_image_url"),
        ("image", "\"https:///i.png\"", "invalid_image_url"), ("image", "\"i.png\"", "invalid_image_url"),
        ("image", "\"https://a.example/" + String(repeating: "i", count: 2031) + "\"", "invalid_image_url"),
        ("image", "7", "type"),
        ("ttl", "-1", "out_of_range"), ("ttl", "2419201", "out_of_range"), ("ttl", "1.5", "invalid"),
        ("ttl", "\"3600s\"", "invalid"), ("ttl", "true", "type"),
        ("priority", "\"HIGHER\"", "unknown_value"), ("priority", "10", "type"),
        ("collapse_id", "\"" + String(repeating: "é", count: 32) + "c\"", "too_long"),
        ("collapse_id", "\"\"", "empty"), ("collapse_id", #""a\r\napns-topic: b""#, "invalid"),
        ("collapse_id", "1", "type"),
        ("thread_id", "\"" + String(repeating: "t", count: 257) + "\"", "too_long"), ("thread_id", "\"\"", "empty"),
        ("thread_id", #""a\u0000""#, "invalid"),
        ("sound", "\"" + String(repeating: "s", count: 257) + "\"", "too_long"), ("sound", "false", "type"),
        ("badge", "-1", "out_of_range"), ("badge", "1000", "out_of_range"), ("badge", "\"one\"", "invalid"),
        ("badge", "[]", "type"),
        ("data", "[]", "type"), ("data", "\"{}\"", "type"),
        ("data", "{\"a\":\"" + String(repeating: "d", count: 4089) + "\"}", "payload_too_large"),
        ("localizations", "[]", "type"),
        ("android", "[]", "type"), ("android", "\"{}\"", "type"),
        ("android", "{\"a\":\"" + String(repeating: "d", count: 4089) + "\"}", "payload_too_large"),
        ("apns", "[]", "type"), ("apns", "\"{}\"", "type"),
        ("apns", "{\"a\":\"" + String(repeating: "d", count: 4089) + "\"}", "payload_too_large"),
    ]

    @Test(arguments: refusals) func refusesAField(_ name: String, _ value: String, _ code: String) {
        self.expect(#"{"title":"T","\#(name)":\#(value)}"#, "/message/\(name) \(code)")
    }

    /// A title stands for a body, so that there is something to show beside it.
    @Test func refusesATitleThatIsNoTextOrTooLong() {
        let long = String(repeating: "t", count: 4097)
        self.expect(#"{"body":"B","title":{}}"#, "/message/title type")
        self.expect(#"{"body":"B","title":"\#(long)"}"#, "/message/title payload_too_large")
        self.expect(
            #"{"body":"B","localizations":{"fr":{"title":"\#(long)"}}}"#,
            "/message/localizations/fr/title payload_too_large")
    }

    @Test(arguments: ["high", "HIGH", "High", "normal", "NORMAL", "nOrmal"]) func priorityIsReadInAnyCase(
        _ word: String
    ) throws {
        let rendered = try Rendered("carillon-android", #"{"title":"T","priority":"\#(word)"}"#)
        #expect(rendered["message", "android", "priority"] == .string(word.uppercased()))
    }

    @Test func nullsOfOptionalFieldsAreAbsent() throws {
        let names = [
            "body", "subtitle", "image", "ttl", "priority", "collapse_id", "thread_id", "sound", "badge", "data",
            "localizations", "android", "apns",
        ]
        let nulls = names.map { "\"\($0)\":null" }.joined(separator: ",")
        for platform in Self.platforms {
            let rendered = try Rendered(platform, #"{"title":"T",\#(nulls)}"#)
            #expect(try rendered.payload == Rendered(platform, #"{"title":"T"}"#).payload)
        }
    }

    @Test func bordersOfNumbersAndTextsAreAccepted() throws {
        for platform in Self.platforms {
            for ttl in [0, 2_419_200] { _ = try Rendered(platform, #"{"title":"T","ttl":\#(ttl)}"#) }
            for badge in [0, 999] { _ = try Rendered(platform, #"{"title":"T","badge":\#(badge)}"#) }
            let collapseID = String(repeating: "é", count: 32)
            let threadID = String(repeating: "t", count: 256)
            _ = try Rendered(
                platform, #"{"title":"T","collapse_id":"\#(collapseID)","thread_id":"\#(threadID)"}"#)
        }
    }

    @Test(arguments: [
        ("nested", "{}", "type"), ("list", "[1]", "type"), ("nothing", "null", "type"),
        ("carillon", "\"x\"", "reserved_name"), ("aps", "\"x\"", "reserved_name"),
        ("_hub_link", "\"x\"", "reserved_name"), ("ak_uid", "\"x\"", "reserved_name"),
        ("from", "\"x\"", "reserved_name"), ("message_type", "\"x\"", "reserved_name"),
        ("collapse_key", "\"x\"", "reserved_name"), ("google.id", "\"x\"", "reserved_name"),
        ("gcm.n", "\"x\"", "reserved_name"), ("", "\"x\"", "invalid"),
        (String(repeating: "n", count: 199) + "é" + String(repeating: "n", count: 56), "1", "invalid"),
    ])
    func customDataAreScalarsUnderFreeNames(_ name: String, _ value: String, _ code: String) {
        let shown = name.utf8.count > 200 ? name.prefix(199) : name[...]
        self.expect(#"{"title":"T","data":{"ok":1,"\#(name)":\#(value)}}"#, "/message/data/\(shown) \(code)")
    }

    @Test(arguments: [
        ("\"3600\"", "invalid"), ("\"s\"", "invalid"), ("\"\"", "invalid"), ("\"-1s\"", "invalid"),
        ("\"+1s\"", "invalid"), ("\"1.s\"", "invalid"), ("\".5s\"", "invalid"), ("\"1.2.3s\"", "invalid"),
        ("\"1.1234567890s\"", "invalid"), ("\"1e3s\"", "invalid"), ("\"60 s\"", "invalid"), ("\"60S\"", "invalid"),
        ("\"٦s\"", "invalid"), ("\"2419201s\"", "out_of_range"), ("\"2419200.000000001s\"", "out_of_range"),
        ("\"99999999999999999999s\"", "out_of_range"), ("3600", "type"), ("null", "type"),
    ])
    func anAndroidTTLOverrideIsADuration(_ ttl: String, _ code: String) {
        self.expect(#"{"title":"T","android":{"ttl":\#(ttl)}}"#, "/message/android/ttl \(code)")
    }

    @Test(arguments: [
        ("nested", "{}", "type"), ("list", "[]", "type"), ("nothing", "null", "type"),
        ("from", "\"x\"", "reserved_name"), ("google.id", "1", "reserved_name"), ("gcm", "1", "reserved_name"),
        ("", "1", "invalid"),
    ])
    func androidSpecificDataAreAMapOfFCM(_ name: String, _ value: String, _ code: String) {
        self.expect(
            #"{"title":"T","android":{"data":{"\#(name)":\#(value)}}}"#, "/message/android/data/\(name) \(code)")
    }

    @Test func androidSpecificDataAreAnObject() {
        self.expect(#"{"title":"T","android":{"data":[]}}"#, "/message/android/data type")
    }

    @Test func everyFaultIsListed() {
        self.expect(
            #"""
            {"title":1,"badge":1000,"data":{"carillon":{},"b":[]},"localizations":{"f":{"x":1,"image":"i"}},
             "android":{"ttl":1,"data":{"from":""}},"zzz":0}
            """#,
            "/message/title type", "/message/badge out_of_range", "/message/data/carillon reserved_name",
            "/message/data/carillon type", "/message/data/b type", "/message/localizations/f invalid",
            "/message/localizations/f/x unknown_field", "/message/localizations/f/image invalid_image_url",
            "/message/android/ttl type", "/message/android/data/from reserved_name", "/message/zzz unknown_field")
    }
}
