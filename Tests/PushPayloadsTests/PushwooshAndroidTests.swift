import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

@Suite struct PushwooshAndroidTests {
    private static let android = "pushwoosh-android"
    private static let uid = Rendered.uid(20)

    /// One field of createMessage, and the key that it becomes.
    static let keys: [(message: String, key: String, value: String)] = [
        (#""content":"hello""#, "title", "hello"),
        (#""android_header":"head""#, "header", "head"),
        (#""android_banner":"https://example.com/b.png""#, "b", "https://example.com/b.png"),
        (#""android_icon":"icon""#, "i", "icon"),
        (#""link":"http://google.com""#, "l", "http://google.com"),
        (#""android_sound":"soundfile""#, "s", "soundfile"),
        (#""android_sound":"""#, "s", ""),
        (#""data":{"key":"va\"lue","n":[1.0]}"#, "u", #"{"key":"va\"lue","n":[1.0]}"#),
        (#""data":{}"#, "u", "{}"),
        (#""android_custom_icon":"https://example.com/i.png""#, "ci", "https://example.com/i.png"),
        (
            #""rich_media":"1E23F-EDCD6""#, "rm",
            #"{"url":"https://richmedia.pushwoosh.com/1/E/1E23F-EDCD6.zip","ts":"1789999999"}"#
        ),
        (#""android_ibc":"red""#, "ibc", "red"),
        (##""android_ibc":"#FF0000""##, "ibc", "#FF0000"),
        (##""android_led":"#FF0000""##, "led", "#ff0000"),
        (#""android_priority":-2"#, "pri", "-2"),
        (#""android_vibration":0"#, "vib", "0"),
        (#""android_vibration":true"#, "vib", "1"),
        (#""android_badges":5"#, "pw_badges", "5"),
        (#""android_badges":"007""#, "pw_badges", "7"),
        (#""android_badges":"+1""#, "pw_badges", "+1"),
        (#""android_badges":"-01""#, "pw_badges", "-1"),
        (#""android_silent":1"#, "pw_silent", "1"),
    ]

    @Test(arguments: keys) func writesEachFieldUnderItsKeyAndNoOther(
        _ row: (message: String, key: String, value: String)
    ) throws {
        // A page makes a message of any field.
        let page = row.key == "rm" ? "" : #","rich_media":"ab-c""#
        let rendered = try Rendered(Self.android, "{\(row.message)\(page)}")
        #expect(try rendered.json[row.key] == .string(row.value))
        let names = try #require(rendered.json.members).map(\.name)
        #expect(Set(names) == [row.key, "pw_msg", "p", "rm", "_hub_link"])
    }

    /// FCM answers 400 to any other value in a data map.
    @Test func everyValueIsAString() throws {
        let rendered = try Rendered(
            Self.android, #"{"content":"x","data":{"a":1},"android_root_params":{"n":1,"o":{}},"android_badges":1}"#)
        for member in try #require(rendered.json.members) {
            #expect(member.value.text != nil, "\(member.name)")
        }
    }

    @Test func theMessageHashIsTheFullID() throws {
        let rendered = try Rendered(Self.android, #"{"content":"x"}"#)
        #expect(try rendered.json["p"] == .string(Self.uid))
        #expect(!Self.uid.contains("-"))
        #expect(try rendered.json["pw_msg"] == .string("1"))
    }

    @Test func theLinksAreOneJSONString() throws {
        let rendered = try Rendered(Self.android, #"{"content":"x"}"#)
        #expect(
            try rendered.json["_hub_link"]
                == .string(#"{"open":"\#(Sample.openLink)","ack":"\#(Sample.ackLink)"}"#))
    }

    @Test func akUIDStandsLastWhenAskedFor() throws {
        var request = Rendered.Request(Self.android, #"{"content":"x"}"#)
        request.hasAkUID = true
        let rendered = try Rendered(request)
        #expect(rendered.payload.hasSuffix(#","ak_uid":"\#(Self.uid)"}"#))
        #expect(try Rendered(Self.android, request.message).json["ak_uid"] == nil)
        request.isDocumented = true
        #expect(try Rendered(request).json["ak_uid"] == nil)
    }

    /// FCM refuses `google.…` in a data map; it and the SDK add these on the way.
    @Test(arguments: [false, true]) func writesNothingThatOnlyThePhoneKnows(_ isDocumented: Bool) throws {
        var request = Rendered.Request(
            Self.android, #"{"content":"x","android_gcm_ttl":60,"android_delivery_priority":"high"}"#)
        request.isDocumented = isDocumented
        let json = try Rendered(request).json
        for name in ["onStart", "foreground", "google.sent_time", "google.message_id", "google.delivered_priority"] {
            #expect(json[name] == nil, "\(name)")
        }
        #expect(json["google.ttl"] == (isDocumented ? .number("60") : nil))
        #expect(json["google.original_priority"] == (isDocumented ? .string("high") : nil))
    }

    @Test func theDocumentedFormHasUserdataAndNoTitleOrLinks() throws {
        var request = Rendered.Request(Self.android, #"{"content":"x","data":{"key":1}}"#)
        #expect(try Rendered(request).json["userdata"] == nil)
        request.isDocumented = true
        let json = try Rendered(request).json
        #expect(json["userdata"] == .object([JSONMember(name: "key", value: .number("1"))]))
        #expect(json["title"] == nil)
        #expect(json["_hub_link"] == nil)
    }

    static let deliveries: [(message: String, delivery: String?)] = [
        (#""content":"x""#, nil),
        (#""content":"x","android_gcm_ttl":3600"#, #"{"ttl":"3600s"}"#),
        (#""content":"x","android_gcm_ttl":"0""#, #"{"ttl":"0s"}"#),
        (#""content":"x","android_delivery_priority":"normal""#, #"{"priority":"NORMAL"}"#),
        (#""content":"x","android_delivery_priority":"High""#, #"{"priority":"HIGH"}"#),
        (
            #""content":"x","android_gcm_ttl":1,"android_delivery_priority":"high""#,
            #"{"priority":"HIGH","ttl":"1s"}"#
        ),
        (#""content":"x","ios_ttl":1"#, nil),
    ]

    @Test(arguments: deliveries) func fcmsOptionsGoBesideThePayload(_ row: (message: String, delivery: String?)) throws
    {
        #expect(try Rendered(Self.android, "{\(row.message)}").delivery == row.delivery)
    }

    @Test(arguments: [
        "{}", #"{"content":""}"#, #"{"content":null}"#, #"{"android_silent":0}"#, #"{"android_header":""}"#,
        #"{"ios_title":"x"}"#, #"{"ios_silent":1}"#, #"{"data":{"a":1},"link":"http://a","android_badges":1}"#,
    ]) func refusesAMessageWithNothingToShow(_ message: String) {
        #expect(throws: Refused("/message empty_payload")) { try Rendered(Self.android, message) }
    }

    @Test(arguments: [
        #"{"content":"x"}"#, #"{"android_header":"x"}"#, #"{"rich_media":"ab-c"}"#, #"{"android_silent":1}"#,
    ]) func acceptsAMessageWithOneThingToShow(_ message: String) throws { _ = try Rendered(Self.android, message) }

    @Test func refusesATopic() throws {
        var request = Rendered.Request(Self.android, #"{"content":"x"}"#)
        request.token = "/topics/news"
        #expect(throws: Refused("/message invalid")) { try Rendered(request) }
    }
}

extension Rendered {
    /// The Full id of a rendered payload's message.
    static func uid(_ provider: UInt8) -> String {
        var message = Sample.message
        message.provider = Provider(rawValue: provider)
        return message.text()
    }
}
