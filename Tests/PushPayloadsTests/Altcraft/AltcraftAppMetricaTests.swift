import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// What is AppMetrica's alone.
@Suite struct AltcraftAppMetricaTests {
    @Test(arguments: [
        #""title":"T""#, #""title":"T","appmetrica":null"#, #""title":"T","appmetrica":{}"#,
        #""title":"T","appmetrica":{"group_id":null,"tag":"x"}"#,
    ])
    func needsAGroup(_ fields: String) throws {
        for provider in AltcraftPayload.providers {
            if AltcraftPayload.appMetrica.contains(provider) {
                #expect(throws: Refused("/message/appmetrica/group_id required")) {
                    try Rendered(provider, "{\(fields)}")
                }
            } else {
                _ = try Rendered(provider, "{\(fields)}")
            }
        }
    }

    @Test(arguments: AltcraftPayload.appMetrica) func saysOnceWhatIsWrongWithTheGroup(_ provider: String) {
        #expect(throws: Refused("/message/appmetrica type")) {
            try Rendered(provider, #"{"title":"T","appmetrica":[]}"#)
        }
        #expect(throws: Refused("/message/appmetrica/group_id invalid")) {
            try Rendered(provider, #"{"title":"T","appmetrica":{"group_id":"x"}}"#)
        }
    }

    @Test(arguments: AltcraftPayload.appMetrica) func writesGroupAndTag(_ provider: String) throws {
        let message = #"{"title":"T","appmetrica":{"group_id":9223372036854775807,"tag":"autumn"}}"#
        let payload = try AltcraftPayload(provider, Rendered(provider, message))
        #expect(payload["push_batch_request/group_id"] == .number("9223372036854775807"))
        #expect(payload["push_batch_request/tag"] == .string("autumn"))
        #expect(try AltcraftPayload(provider)["push_batch_request/tag"] == nil)
        #expect(try AltcraftPayload(provider, isDocumented: true)["push_batch_request/tag"] == .string(""))
    }

    @Test(arguments: AltcraftPayload.appMetrica) func writesSilentAsABool(_ provider: String) throws {
        #expect(try AltcraftPayload(provider).push("silent") == .bool(false))
        #expect(try AltcraftPayload(provider, #""soundless":true"#).push("silent") == .bool(true))
    }

    @Test(arguments: [
        ("https://shop.example/a", "url"), ("HTTP://shop.example", "url"), ("shop://cart", "deeplink"),
        ("httpx://cart", "deeplink"), ("tel:112", "deeplink"),
    ])
    func opensAWebAddressOrADeeplink(_ link: String, _ name: String) throws {
        for provider in AltcraftPayload.appMetrica {
            let fields = #""click_url":"\#(link)""#
            let action = try AltcraftPayload(provider, fields).push("open_action")
            #expect(action == .object([JSONMember(name: name, value: .string(link))]))
            let other = name == "url" ? "deeplink" : "url"
            let documented = try AltcraftPayload(provider, fields, isDocumented: true)
            #expect(documented.push("open_action/\(name)") == .string(link))
            #expect(documented.push("open_action/\(other)") == .string(""))
            #expect(try AltcraftPayload(provider).push("open_action") == nil)
        }
    }

    @Test(arguments: [("", "high"), (#""priority":"HIGH""#, "high"), (#""priority":"normal""#, "normal")])
    func writesUrgencyOnAndroidsWireOnly(_ fields: String, _ urgency: String) throws {
        let android = try AltcraftPayload("android-appmetrica", fields)
        #expect(android.push("content/urgency") == .string(urgency))
        #expect(try AltcraftPayload("android-appmetrica", fields, isDocumented: true).push("content/urgency") == nil)
        #expect(try AltcraftPayload("ios-appmetrica", fields).push("content/urgency") == nil)
        let withTTL = fields.isEmpty ? #""ttl":60"# : fields + #","ttl":60"#
        let names = try AltcraftPayload("android-appmetrica", withTTL).push("content")?.members?.map(\.name)
        #expect(names == ["title", "text", "time_to_live", "urgency", "data"])
    }

    @Test func writesDeviceIDTypes() throws {
        let path = "push_batch_request/batch/0/devices/0/id_type"
        #expect(try AltcraftPayload("ios-appmetrica")[path] == .string("ios_push_token"))
        #expect(try AltcraftPayload("android-appmetrica")[path] == .string("google_aid"))
    }

    @Test func writesBadgeOnAppleOnly() throws {
        #expect(try AltcraftPayload("ios-appmetrica", #""badge":0"#).push("content/badge") == .number("0"))
        #expect(try AltcraftPayload("ios-appmetrica", isDocumented: true).push("content/badge") == nil)
        #expect(try AltcraftPayload("android-appmetrica", #""badge":1"#).push("content/badge") == nil)
    }

    private static let media = """
        "color":"#FF5722","led_color":"#0000FF","icon":"https://a.example/i.png","image":"https://a.example/b.png"
        """

    @Test func writesAndroidMedia() throws {
        let payload = try AltcraftPayload("android-appmetrica", Self.media)
        #expect(payload.push("content/image") == .string("https://a.example/i.png"))
        #expect(payload.push("content/icon_background") == .string("#FF5722"))
        #expect(payload.push("content/banner") == .string("https://a.example/b.png"))
        #expect(payload.push("content/led_color") == .string("#0000FF"))
        let bare = try AltcraftPayload("android-appmetrica")
        let documented = try AltcraftPayload("android-appmetrica", isDocumented: true)
        for name in ["image", "icon_background", "banner", "led_color"] {
            #expect(bare.push("content/\(name)") == nil, "\(name)")
            #expect(documented.push("content/\(name)") == .string(""), "\(name)")
        }
    }

    @Test(arguments: ["ic_sale", "http://a.example/i.png"]) func leavesOutAnIconThatAppMetricaCannotLoad(
        _ icon: String
    ) throws {
        let fields = #""icon":"\#(icon)""#
        #expect(try AltcraftPayload("android-appmetrica", fields).push("content/image") == nil)
        let documented = try AltcraftPayload("android-appmetrica", fields, isDocumented: true)
        #expect(documented.push("content/image") == .string(""))
        // The app itself reads this one, and knows its assets.
        #expect(try AltcraftPayload("ios-appmetrica", fields).field("icon") == .string(icon))
    }

    @Test func writesAppleMediaIntoData() throws {
        let payload = try AltcraftPayload("ios-appmetrica", Self.media)
        #expect(payload.field("icon") == .string("https://a.example/i.png"))
        #expect(payload.field("media") == .string("https://a.example/b.png"))
        #expect(try AltcraftPayload("ios-appmetrica").fields.map(\.name) == ["hub_link"])
        let documented = try AltcraftPayload("ios-appmetrica", isDocumented: true)
        #expect(documented.field("icon") == .string("") && documented.field("media") == .string(""))
    }

    @Test(arguments: AltcraftPayload.appMetrica) func writesDataAsOneStringWithLinks(_ provider: String) throws {
        let payload = try AltcraftPayload(provider)
        let links = #"{"hub_link":{"ack":"\#(Sample.ackLink)","open":"\#(Sample.openLink)"}}"#
        #expect(payload.push("content/data") == .string(links))
    }

    /// There is no `_uid` in this structure, so it stands in `data`.
    @Test(arguments: AltcraftPayload.appMetrica) func putsAkUIDIntoData(_ provider: String) throws {
        var sent = Sample.message
        sent.provider = try #require(Provider(name: provider))
        let payload = try AltcraftPayload(provider, #""data":{"custom":1}"#, hasAkUID: true)
        #expect(try payload.fields.map(\.name) == ["hub_link", "ak_uid", "custom"])
        #expect(payload.field("ak_uid") == .string(sent.text()))
    }

    /// What AppMetrica's structure has no place for, a message for other providers may still have.
    @Test(arguments: AltcraftPayload.appMetrica) func leavesOutWhatItHasNoPlaceFor(_ provider: String) throws {
        let fields = #""subtitle":"S","sound":"s.caf","vibration":true,"buttons":[{"label":"A","link":"a:b"}]"#
        #expect(try AltcraftPayload(provider, fields).payload == AltcraftPayload(provider).payload)
    }
}
