import StrictJSON
import Testing

@testable import PushPayloads

/// The documented form against the vendor's document: each object's members, all of them and in that order.
@Suite struct AltcraftDocumentTests {
    private static let fields = """
        "subtitle":"S","body":"B","icon":"https://a.example/i","image":"https://a.example/b",
        "click_url":"https://a.example","color":"#FF5722","led_color":"#00FF00","sound":"s","vibration":true,
        "priority":"normal","ttl":60,"badge":1,"buttons":[{"link":"a:b","label":"L"}]
        """

    /// Provider, the object's path, its members. Texts that hold JSON are read on the way.
    private static let objects: [(provider: String, path: String, names: String)] = [
        ("android-firebase", "message", "token android"),
        ("android-firebase", "message/android", "priority ttl data"),
        (
            "android-firebase", "message/android/data",
            """
            _ac_push _uid _launch_id _title _provider _body _icon _click_action _color _image _vibration _soundless \
            _hub_link _buttons
            """
        ),
        ("android-firebase", "message/android/data/_hub_link", "open ack"),
        ("ios-firebase", "message", "token apns"),
        ("ios-firebase", "message/apns", "headers payload"),
        ("ios-firebase", "message/apns/headers", "apns-expiration"),
        (
            "ios-firebase", "message/apns/payload",
            "aps _uid _provider _launch_id _ac_push _click-url _media _soundless _hub_link _buttons"
        ),
        ("ios-firebase", "message/apns/payload/aps", "category sound mutable-content alert"),
        ("ios-firebase", "message/apns/payload/aps/alert", "title subtitle body"),
        ("ios-apns", "", "aps _ac_push _click-url _soundless _media _uid _provider _hub_link _buttons"),
        ("ios-apns", "aps", "category mutable-content sound alert"),
        ("ios-apns", "aps/alert", "title subtitle body"),
        ("ios-apns", "_hub_link", "open ack"),
        ("ios-appmetrica", "push_batch_request", "group_id tag batch"),
        ("ios-appmetrica", "push_batch_request/batch/0", "messages devices"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages/iOS", "silent content open_action"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages/iOS/content", "title text badge expiration data"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages/iOS/content/data", "hub_link icon media"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages/iOS/content/data/hub_link", "ack open"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages/iOS/open_action", "url deeplink"),
        ("ios-appmetrica", "push_batch_request/batch/0/devices/0", "id_values id_type"),
        ("android-appmetrica", "push_batch_request", "group_id tag batch"),
        ("android-appmetrica", "push_batch_request/batch/0", "messages devices"),
        ("android-appmetrica", "push_batch_request/batch/0/messages/android", "silent content open_action"),
        (
            "android-appmetrica", "push_batch_request/batch/0/messages/android/content",
            "title text time_to_live image icon_background banner led_color data"
        ),
        ("android-appmetrica", "push_batch_request/batch/0/messages/android/content/data", "hub_link"),
        ("android-appmetrica", "push_batch_request/batch/0/messages/android/open_action", "url deeplink"),
        ("android-huawei", "message", "token data android"),
        (
            "android-huawei", "message/data",
            """
            _ac_push _title _uid _provider _body _launch_id _vibration _soundless _hub_link _icon _click_action _color \
            _image _buttons
            """
        ),
        ("android-huawei", "message/android", "urgency ttl"),
        ("ios-huawei", "message", "token apns"),
        ("ios-huawei", "message/apns", "headers payload hms_options"),
        ("ios-huawei", "message/apns/headers", "apns-expiration"),
        (
            "ios-huawei", "message/apns/payload",
            "aps _ac_push _provider _click-url _soundless _uid _media _hub_link _buttons"
        ),
        ("ios-huawei", "message/apns/payload/aps", "category mutable-content sound alert"),
        ("ios-huawei", "message/apns/hms_options", "target_user_type"),
        ("android-rustore", "message", "token data android"),
        (
            "android-rustore", "message/data",
            """
            _ac_push _title _uid _provider _body _icon _image _launch_id _vibration _soundless _color _click_action \
            _hub_link _buttons
            """
        ),
        ("android-rustore", "message/android", "priority ttl"),
        ("android-firebase-legacy", "", "to priority time_to_live data"),
        // The vendor shows no template of it: the map is Firebase's.
        (
            "android-firebase-legacy", "data",
            """
            _ac_push _uid _launch_id _title _provider _body _icon _click_action _color _image _vibration _soundless \
            _hub_link _buttons
            """
        ),
        ("android-firebase-legacy", "data/_hub_link", "open ack"),
        ("android-firebase-legacy", "data/_buttons/0", "label link"),
        ("android-firebase", "", "message"),
        ("android-firebase", "message/android/data/_buttons/0", "label link"),
        ("ios-firebase", "", "message"),
        ("ios-firebase", "message/apns/payload/_hub_link", "open ack"),
        ("ios-firebase", "message/apns/payload/_buttons/0", "label link"),
        ("ios-apns", "_buttons/0", "label link"),
        ("ios-appmetrica", "", "push_batch_request"),
        ("ios-appmetrica", "push_batch_request/batch/0/messages", "iOS"),
        ("android-appmetrica", "", "push_batch_request"),
        ("android-appmetrica", "push_batch_request/batch/0/messages", "android"),
        ("android-appmetrica", "push_batch_request/batch/0/messages/android/content/data/hub_link", "ack open"),
        ("android-appmetrica", "push_batch_request/batch/0/devices/0", "id_values id_type"),
        ("android-huawei", "", "message"),
        ("android-huawei", "message/data/_hub_link", "open ack"),
        ("android-huawei", "message/data/_buttons/0", "label link"),
        ("ios-huawei", "", "message"),
        ("ios-huawei", "message/apns/payload/aps/alert", "title subtitle body"),
        ("ios-huawei", "message/apns/payload/_hub_link", "open ack"),
        ("ios-huawei", "message/apns/payload/_buttons/0", "label link"),
        ("android-rustore", "", "message"),
        ("android-rustore", "message/data/_hub_link", "open ack"),
        ("android-rustore", "message/data/_buttons/0", "label link"),
    ]

    @Test(arguments: objects) func hasTheDocumentsMembersInItsOrder(_ provider: String, _ path: String, _ names: String)
        throws
    {
        let payload = try AltcraftPayload(provider, Self.fields, isDocumented: true)
        var value = try #require(payload[path])
        if case .string(let text) = value { value = try JSONValue(parsing: Array(text.utf8).span.bytes) }
        #expect(value.members?.map(\.name) == names.split(separator: " ").map(String.init))
    }

    /// No object of a payload is left out of the table.
    @Test(arguments: AltcraftPayload.providers) func holdsEveryObjectAgainstTheDocument(_ provider: String) throws {
        func paths(_ value: JSONValue, at path: [String]) -> [String] {
            switch value {
            case .object(let members):
                [path.joined(separator: "/")] + members.flatMap { paths($0.value, at: path + [$0.name]) }
            case .array(let items): items.enumerated().flatMap { paths($1, at: path + [String($0)]) }
            case .string(let text):
                (try? JSONValue(parsing: Array(text.utf8).span.bytes)).map { paths($0, at: path) } ?? []
            default: []
            }
        }
        let payload = try AltcraftPayload(provider, Self.fields, isDocumented: true)
        let written = paths(try #require(payload[""]), at: [])
        #expect(written.sorted() == Self.objects.filter { $0.provider == provider }.map(\.path).sorted())
    }

    @Test func writesTokensAsTheProvidersTakeThem() throws {
        #expect(try AltcraftPayload("android-firebase")["message/token"] == .string("token-1"))
        #expect(try AltcraftPayload("ios-firebase")["message/token"] == .string("token-1"))
        #expect(try AltcraftPayload("android-rustore")["message/token"] == .string("token-1"))
        #expect(try AltcraftPayload("android-firebase-legacy")["to"] == .string("token-1"))
        #expect(try AltcraftPayload("android-huawei")["message/token"] == .array([.string("token-1")]))
        #expect(try AltcraftPayload("ios-huawei")["message/token"] == .array([.string("token-1")]))
        let device = "push_batch_request/batch/0/devices/0/id_values"
        for provider in AltcraftPayload.appMetrica {
            #expect(try AltcraftPayload(provider)[device] == .array([.string("token-1")]))
        }
    }
}
