import StrictJSON
import Testing

@testable import PushPayloads

/// What a message may hold. The providers' own rules have tests of their own.
@Suite struct PushMessageTests {
    static func read(_ json: String, _ rules: PushMessageRules = .android) throws -> PushMessage {
        var faults = FieldFaults()
        let value = try JSONValue(parsing: Array(json.utf8).span.bytes)
        let message = PushMessage(value, at: .member(of: .root, name: "message"), rules: rules, &faults)
        #expect((message == nil) == !faults.isEmpty)
        guard let message else { throw Refused(faults) }
        return message
    }

    static func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    @Test(arguments: [
        ("[]", "/message type"),
        ("null", "/message type"),
        ("{}", "/message empty_payload"),
        (#"{"title":"","body":null}"#, "/message empty_payload"),
        (#"{"subtitle":"only this"}"#, "/message empty_payload"),
    ])
    func refusesAMessageWithNothingToShow(_ json: String, _ fault: String) {
        #expect(throws: Refused(fault)) { try Self.read(json) }
    }

    /// A text at fault is no missing text.
    @Test func saysOnlyWhatIsWrongWithATextThatIsThere() {
        #expect(throws: Refused("/message/body type")) { try Self.read(#"{"title":"","body":5}"#) }
    }

    @Test(arguments: [
        (#""title":5"#, "/message/title type"),
        (#""title":"\#(text(4097))""#, "/message/title too_long"),
        (#""body":{}"#, "/message/body type"),
        (#""body":"\#(text(4095))é""#, "/message/body too_long"),
        (#""subtitle":[]"#, "/message/subtitle type"),
        (#""subtitle":"\#(text(4097))""#, "/message/subtitle too_long"),
        (#""icon":1"#, "/message/icon type"),
        (#""icon":"""#, "/message/icon invalid"),
        (#""icon":"a\u0007b""#, "/message/icon invalid"),
        (#""icon":"a\u0085b""#, "/message/icon invalid"),
        (#""icon":"ftp://cdn.example/i.png""#, "/message/icon invalid"),
        (#""icon":"://cdn.example/i.png""#, "/message/icon invalid"),
        (#""icon":"https://""#, "/message/icon invalid"),
        (#""icon":"https:///i.png""#, "/message/icon invalid"),
        (#""icon":"https://cdn.example/a b.png""#, "/message/icon invalid"),
        (#""icon":"\#(text(2049))""#, "/message/icon too_long"),
        (#""image":true"#, "/message/image type"),
        (#""image":"banner""#, "/message/image invalid_image_url"),
        (#""image":"http://cdn.example/i.png""#, "/message/image invalid_image_url"),
        (#""click_url":7"#, "/message/click_url type"),
        (#""click_url":"shop.example""#, "/message/click_url invalid"),
        (#""click_url":"""#, "/message/click_url invalid"),
        (#""click_url":"https://""#, "/message/click_url invalid"),
        (#""click_url":"https://shop.example/\#(text(2048))""#, "/message/click_url invalid"),
        (#""color":"red""#, "/message/color invalid"),
        (##""color":"#12345""##, "/message/color invalid"),
        (##""led_color":"#12345G""##, "/message/led_color invalid"),
        (#""led_color":255"#, "/message/led_color type"),
        (#""sound":"""#, "/message/sound empty"),
        (#""sound":"\#(text(257))""#, "/message/sound too_long"),
        (#""sound":{"name":"x"}"#, "/message/sound type"),
        (#""vibration":"true""#, "/message/vibration type"),
        (#""soundless":1"#, "/message/soundless type"),
        (#""priority":"urgent""#, "/message/priority unknown_value"),
        (#""priority":"hıgh""#, "/message/priority unknown_value"),
        (#""priority":10"#, "/message/priority type"),
        (#""ttl":-1"#, "/message/ttl out_of_range"),
        (#""ttl":2419201"#, "/message/ttl out_of_range"),
        (#""ttl":"3600s""#, "/message/ttl invalid"),
        (#""ttl":1.5"#, "/message/ttl invalid"),
        (#""ttl":true"#, "/message/ttl type"),
        (#""badge":-1"#, "/message/badge out_of_range"),
        (#""badge":1000"#, "/message/badge out_of_range"),
        (#""buttons":{}"#, "/message/buttons type"),
        (#""buttons":["Buy"]"#, "/message/buttons/0 type"),
        (#""buttons":[{"label":"A"}]"#, "/message/buttons/0/link required"),
        (#""buttons":[{"label":null,"link":"https://a.example"}]"#, "/message/buttons/0/label required"),
        (#""buttons":[{"label":"","link":"https://a.example"}]"#, "/message/buttons/0/label empty"),
        (#""buttons":[{"label":3,"link":"https://a.example"}]"#, "/message/buttons/0/label type"),
        (#""buttons":[{"label":"\#(text(257))","link":"https://a.example"}]"#, "/message/buttons/0/label too_long"),
        (#""buttons":[{"label":"A","link":"nowhere"}]"#, "/message/buttons/0/link invalid"),
        (#""buttons":[{"label":"A","link":"a:b","id":"1"}]"#, "/message/buttons/0/id unknown_field"),
        (#""data":[]"#, "/message/data type"),
        (#""android":"x""#, "/message/android type"),
        (#""android":{"priority":"high"}"#, "/message/android/priority unknown_field"),
        (#""android":{"data":1}"#, "/message/android/data type"),
        (#""ios":[]"#, "/message/ios type"),
        (#""ios":{"badge":null}"#, "/message/ios/badge unknown_field"),
        (#""ios":{"data":"x"}"#, "/message/ios/data type"),
        (#""appmetrica":1"#, "/message/appmetrica type"),
        (#""appmetrica":{"group_id":-1}"#, "/message/appmetrica/group_id out_of_range"),
        (#""appmetrica":{"group_id":9223372036854775808}"#, "/message/appmetrica/group_id out_of_range"),
        (#""appmetrica":{"group_id":"one"}"#, "/message/appmetrica/group_id invalid"),
        (#""appmetrica":{"tag":7}"#, "/message/appmetrica/tag type"),
        (#""appmetrica":{"tag":"\#(text(257))"}"#, "/message/appmetrica/tag too_long"),
        (#""appmetrica":{"name":"x"}"#, "/message/appmetrica/name unknown_field"),
        (#""color_":null"#, "/message/color_ unknown_field"),
        (#""clickUrl":"https://a.example""#, "/message/clickUrl unknown_field"),
    ])
    func refusesAFieldAtFault(_ field: String, _ fault: String) {
        let name = field.dropFirst().prefix { $0 != "\"" }
        let rest = name == "title" ? #""body":"B""# : #""title":"T""#
        #expect(throws: Refused(fault)) { try Self.read("{\(rest),\(field)}") }
    }

    @Test func saysAllThatIsWrongAtOnce() {
        let json = #"{"title":1,"badge":-1,"extra":0,"buttons":[{},{"label":"","link":"x"}],"data":{"_uid":"x"}}"#
        #expect(
            throws: Refused(
                "/message/title type", "/message/badge out_of_range", "/message/extra unknown_field",
                "/message/buttons/0/label required", "/message/buttons/0/link required",
                "/message/buttons/1/label empty", "/message/buttons/1/link invalid",
                "/message/data/_uid reserved_name")
        ) { try Self.read(json) }
    }

    @Test func takesEveryFieldUpToItsLimit() throws {
        let message = try Self.read(
            """
            {"title":"\(Self.text(4096))","body":"\(Self.text(4094))é","subtitle":"\(Self.text(4096))",
            "icon":"\(Self.text(2048))","sound":"\(Self.text(256))","ttl":2419200,"badge":"999",
            "appmetrica":{"group_id":"9223372036854775807","tag":"\(Self.text(256))"},
            "buttons":[\(Array(repeating: #"{"link":"a:b","label":"\#(Self.text(256))"}"#, count: 16).joined(separator: ","))]}
            """)
        #expect(message.title.utf8.count == 4096 && message.body.utf8.count == 4096)
        #expect(message.subtitle?.utf8.count == 4096 && message.icon?.utf8.count == 2048)
        #expect(message.sound?.utf8.count == 256 && message.ttl == 2_419_200 && message.badge == 999)
        #expect(message.appMetrica.groupID == .max && message.appMetrica.tag?.utf8.count == 256)
        #expect(message.buttons.count == 16)
    }

    @Test(arguments: [
        "icon.png", "ic_stat_notify", "icons/новый значок", "http://cdn.example/i.png", "HTTPS://cdn.example/i.png",
        "https://münchen.example/i.png",
    ])
    func takesAnAssetOrAnAddressAsIcon(_ icon: String) throws {
        #expect(try Self.read(#"{"title":"T","icon":"\#(icon)"}"#).icon == icon)
    }

    @Test(arguments: [
        ("high", PushPriority.high), ("HIGH", .high), ("High", .high), ("normal", .normal), ("NORMAL", .normal),
    ])
    func readsPriorityInAnyCase(_ text: String, _ priority: PushPriority) throws {
        #expect(try Self.read(#"{"title":"T","priority":"\#(text)"}"#).priority == priority)
    }

    @Test func takesANullForAnAbsentField() throws {
        let names = PushMessage.Field.allCases.filter { $0 != .title }.map { "\"\($0.rawValue)\":null" }
            .joined(separator: ",")
        #expect(try Self.read(#"{"title":"T",\#(names)}"#) == Self.read(#"{"title":"T"}"#))
        #expect(try Self.read(#"{"title":"T","subtitle":""}"#) == Self.read(#"{"title":"T"}"#))
        let nested = #"{"title":"T","android":{"data":null},"appmetrica":{"group_id":null,"tag":null}}"#
        #expect(try Self.read(nested) == Self.read(#"{"title":"T"}"#))
    }

    /// What could never fit must not cost time either.
    @Test(arguments: [("", "", "/message/data"), (#""ios":{"#, "}", "/message/ios/data")])
    func refusesMoreCustomFieldsThanCouldFit(_ open: String, _ close: String, _ pointer: String) throws {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
        let names = letters.flatMap { first in letters.map { first + $0 } }
        func json(_ count: Int) -> String {
            let fields = names.prefix(count).map { "\"\($0)\":\"\"" }.joined(separator: ",")
            return #"{"title":"T",\#(open)"data":{\#(fields)}\#(close)}"#
        }
        // Names of two bytes and nothing else: just what a provider takes.
        #expect(try Self.read(json(2048), .apple).custom.count == 2048)
        #expect(throws: Refused("\(pointer) too_many")) { try Self.read(json(2049), .apple) }
    }
}
