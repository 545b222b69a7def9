import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

@Suite struct PushwooshIOSTests {
    private static let ios = "pushwoosh-ios"
    private static let uid = Rendered.uid(21)

    /// A message, and its payload up to `p`.
    static let starts: [(message: String, start: String)] = [
        (#""content":"hello""#, #"{"aps":{"alert":{"body":"hello"},"mutable-content":1},"#),
        (
            #""content":"b","ios_title":"t","ios_subtitle":"s""#,
            #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b"},"mutable-content":1},"#
        ),
        (#""ios_title":"t""#, #"{"aps":{"alert":{"title":"t"},"mutable-content":1},"#),
        (
            #""content":"b","ios_badges":0,"ios_sound":"a b.wav","ios_category_id":"1""#,
            #"{"aps":{"alert":{"body":"b"},"badge":0,"sound":"a b.wav","category":"1","mutable-content":1},"#
        ),
        (#""content":"b","ios_sound":"""#, #"{"aps":{"alert":{"body":"b"},"mutable-content":1},"#),
        (#""rich_media":"ab-c""#, #"{"aps":{},"#),
        // Silent: nothing that iOS would show or play.
        (
            #""content":"b","ios_title":"t","ios_badges":5,"ios_sound":"s","ios_silent":1"#,
            #"{"aps":{"content-available":1},"#
        ),
        (#""ios_silent":true,"ios_root_params":{"aps":{"badge":1}}"#, #"{"aps":{"badge":1,"content-available":1},"#),
        (#""ios_root_params":{"aps":{"alert":"mine"}}"#, #"{"aps":{"alert":"mine","mutable-content":1},"#),
        (#""ios_root_params":{"aps":{"content-available":1}}"#, #"{"aps":{"content-available":1},"#),
    ]

    @Test(arguments: starts) func laysOutAps(_ row: (message: String, start: String)) throws {
        let rendered = try Rendered(Self.ios, "{\(row.message)}")
        #expect(rendered.payload.hasPrefix(row.start + #""p":"\#(Self.uid)","#), "\(rendered.payload)")
    }

    /// The rest of the payload, behind `aps`.
    static let rests: [(message: String, rest: String)] = [
        (#""link":"http://google.com""#, #""l":"http://google.com","p":"UID""#),
        (
            #""rich_media":"1E23F-EDCD6""#,
            #""p":"UID","rm":{"ts":1789999999,"url":"https://richmedia.pushwoosh.com/1/E/1E23F-EDCD6.zip"}"#
        ),
        (#""data":{"key":"va\"lue"}"#, #""p":"UID","u":"{\"key\":\"va\\\"lue\"}""#),
        (#""data":{}"#, #""p":"UID","u":"{}""#),
    ]

    @Test(arguments: rests) func writesTheKeysBesideAps(_ row: (message: String, rest: String)) throws {
        let rendered = try Rendered(Self.ios, #"{"content":"x",\#(row.message)}"#)
        let start = #"{"aps":{"alert":{"body":"x"},"mutable-content":1},"#
        let links = #"{"open":"\#(Sample.openLink)","ack":"\#(Sample.ackLink)"}"#
        let rest = row.rest.replacing("UID", with: Self.uid)
        #expect(rendered.payload == start + rest + #","pw_msg":"1","_hub_link":\#(links)}"#)
    }

    @Test func akUIDStandsLastWhenAskedFor() throws {
        var request = Rendered.Request(Self.ios, #"{"content":"x"}"#)
        request.hasAkUID = true
        #expect(try Rendered(request).payload.hasSuffix(#","ak_uid":"\#(Self.uid)"}"#))
        #expect(try Rendered(Self.ios, request.message).json["ak_uid"] == nil)
        request.isDocumented = true
        #expect(try Rendered(request).json["ak_uid"] == nil)
    }

    @Test func theDocumentedFormHasNothingOfTheWireAlone() throws {
        var request = Rendered.Request(Self.ios, #"{"content":"x"}"#)
        request.isDocumented = true
        #expect(try Rendered(request).payload == #"{"aps":{"alert":{"body":"x"}},"p":"\#(Self.uid)"}"#)
    }

    /// From the send time of `Sample`, in seconds; 0 is now or never.
    static let deliveries: [(message: String, delivery: String?)] = [
        (#""content":"x""#, nil),
        (#""content":"x","ios_ttl":3600"#, #"{"apns-expiration":"1790003600"}"#),
        (#""content":"x","ios_ttl":"0""#, #"{"apns-expiration":"0"}"#),
        (#""content":"x","android_gcm_ttl":1,"android_delivery_priority":"high""#, nil),
    ]

    @Test(arguments: deliveries) func theExpirationGoesBesideThePayload(
        _ row: (message: String, delivery: String?)
    ) throws {
        #expect(try Rendered(Self.ios, "{\(row.message)}").delivery == row.delivery)
    }

    @Test func leavesOutWhatIsAndroids() throws {
        let message = ##"""
            {"content":"x","android_root_params":{"pw_channel":"v"},"android_sound":"s","android_header":"h",
             "android_icon":"i","android_custom_icon":"https://a/i","android_banner":"https://a/b","android_badges":1,
             "android_gcm_ttl":1,"android_vibration":1,"android_led":"#FF0000","android_priority":1,
             "android_delivery_priority":"high","android_ibc":"red","android_silent":1}
            """##
        #expect(try Rendered(Self.ios, message).payload == Rendered(Self.ios, #"{"content":"x"}"#).payload)
    }

    @Test func leavesOutWhatIsIOSsOnAndroid() throws {
        let message = #"""
            {"content":"x","ios_root_params":{"aps":{"badge":1},"data":"qwe"},"ios_sound":"s","ios_badges":1,
             "ios_ttl":1,"ios_silent":1,"ios_category_id":"1","ios_title":"t","ios_subtitle":"s","apns_trim_content":1,
             "ios_trim_content":1}
            """#
        let android = "pushwoosh-android"
        #expect(try Rendered(android, message).payload == Rendered(android, #"{"content":"x"}"#).payload)
    }

    @Test(arguments: [
        "{}", #"{"content":""}"#, #"{"ios_title":""}"#, #"{"ios_subtitle":"x"}"#, #"{"ios_silent":0}"#,
        #"{"android_header":"x"}"#, #"{"android_silent":1}"#, #"{"ios_badges":1,"ios_sound":"s","link":"http://a"}"#,
        #"{"ios_root_params":{"aps":{"alert":""}}}"#, #"{"ios_root_params":{"aps":{"alert":{}}}}"#,
        #"{"ios_silent":1,"ios_root_params":{"aps":{"content-available":0}}}"#,
    ]) func refusesAMessageWithNothingToShow(_ message: String) {
        #expect(throws: Refused("/message empty_payload")) { try Rendered(Self.ios, message) }
    }

    @Test func refusesATopic() throws {
        var request = Rendered.Request(Self.ios, #"{"content":"x"}"#)
        request.token = "/topics/news"
        #expect(throws: Refused("/message invalid")) { try Rendered(request) }
    }
}
