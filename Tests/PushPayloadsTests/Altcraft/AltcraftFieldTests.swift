import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// How the fields of one message are written, provider by provider, on the wire and in the documented form.
@Suite struct AltcraftFieldTests {
    @Test(arguments: [
        ("android-firebase", "message/android/ttl", JSONValue.string("3600s"), JSONValue.number("3600")),
        ("android-rustore", "message/android/ttl", .string("3600s"), .number("3600")),
        ("android-huawei", "message/android/ttl", .string("3600s"), .number("3600")),
        ("android-firebase-legacy", "time_to_live", .number("3600"), .number("3600")),
        ("ios-firebase", "message/apns/headers/apns-expiration", .string("1790003600"), .string("3600")),
        ("ios-huawei", "message/apns/headers/apns-expiration", .string("1790003600"), .string("3600")),
        (
            "ios-appmetrica", "push_batch_request/batch/0/messages/iOS/content/expiration", .number("3600"),
            .number("3600")
        ),
        (
            "android-appmetrica", "push_batch_request/batch/0/messages/android/content/time_to_live",
            .number("3600"), .number("3600")
        ),
    ])
    func writesTTL(_ provider: String, _ path: String, _ wire: JSONValue, _ documented: JSONValue) throws {
        #expect(try AltcraftPayload(provider, #""ttl":3600"#)[path] == wire)
        #expect(try AltcraftPayload(provider, #""ttl":"3600""#, isDocumented: true)[path] == documented)
        #expect(try AltcraftPayload(provider)[path] == nil)
        #expect(try AltcraftPayload(provider, isDocumented: true)[path] == nil)
    }

    /// APNs' own: 0 is one attempt, not the second in which the message is sent.
    @Test(arguments: AltcraftPayload.apple) func writesATTLOfZeroAsNowOrNever(_ provider: String) throws {
        #expect(try AltcraftPayload(provider, #""ttl":0"#).header("apns-expiration") == .string("0"))
        #expect(try AltcraftPayload(provider).header("apns-expiration") == nil)
    }

    @Test(arguments: [
        ("android-firebase", "message/android/priority", "HIGH", "NORMAL", "NORMAL"),
        ("android-rustore", "message/android/priority", "HIGH", "NORMAL", "HIGH"),
        ("android-huawei", "message/android/urgency", "HIGH", "NORMAL", "HIGH"),
        ("android-firebase-legacy", "priority", "high", "normal", "normal"),
    ])
    func writesPriority(
        _ provider: String, _ path: String, _ high: String, _ normal: String, _ documentedNormal: String
    ) throws {
        #expect(try AltcraftPayload(provider)[path] == .string(high))
        #expect(try AltcraftPayload(provider, #""priority":"normal""#)[path] == .string(normal))
        let documented = try AltcraftPayload(provider, #""priority":"normal""#, isDocumented: true)
        #expect(documented[path] == .string(documentedNormal))
        #expect(try AltcraftPayload(provider, isDocumented: true)[path] == .string(high))
    }

    @Test(arguments: AltcraftPayload.apple) func writesAppleHeaders(_ provider: String) throws {
        let normal = #""priority":"normal","ttl":60"#
        #expect(try AltcraftPayload(provider, normal).header("apns-priority") == .string("5"))
        #expect(try AltcraftPayload(provider, #""priority":"high""#).header("apns-priority") == nil)
        let documented = try AltcraftPayload(provider, normal, isDocumented: true)
        // Beside the payload of APNs itself, which the document does not show; else the document has no priority.
        let isBeside = provider == "ios-apns"
        #expect(try documented.header("apns-priority") == (isBeside ? .string("5") : nil))
        #expect(try documented.header("apns-expiration") == .string(isBeside ? "1790000060" : "60"))
        #expect(try AltcraftPayload(provider)["message/apns/headers"] == nil)
        #expect(try AltcraftPayload(provider).delivery == nil)
    }

    @Test(arguments: AltcraftPayload.apple) func writesSoundAsAString(_ provider: String) throws {
        for isDocumented in [false, true] {
            for (fields, sound) in [
                ("", "default"), (#""sound":"chime.caf""#, "chime.caf"), (#""soundless":true"#, ""),
                (#""sound":"chime.caf","soundless":true"#, ""),
            ] {
                let payload = try AltcraftPayload(provider, fields, isDocumented: isDocumented)
                #expect(payload.field("aps/sound") == .string(sound), "\(fields)")
            }
        }
    }

    @Test(arguments: AltcraftPayload.apple) func writesBadgeOnTheWireOnly(_ provider: String) throws {
        #expect(try AltcraftPayload(provider, #""badge":0"#).field("aps/badge") == .number("0"))
        #expect(try AltcraftPayload(provider).field("aps/badge") == nil)
        #expect(try AltcraftPayload(provider, #""badge":7"#, isDocumented: true).field("aps/badge") == nil)
    }

    @Test(arguments: AltcraftPayload.dataMaps + AltcraftPayload.apple) func writesFlagsAsExactStrings(
        _ provider: String
    ) throws {
        let isApple = AltcraftPayload.apple.contains(provider)
        for flag in ["true", "false"] {
            let payload = try AltcraftPayload(provider, #""soundless":\#(flag),"vibration":\#(flag)"#)
            #expect(payload.field("_soundless") == .string(flag))
            #expect(payload.field("_vibration") == (isApple ? nil : .string(flag)))
        }
        #expect(try AltcraftPayload(provider).field("_soundless") == .string("false"))
        #expect(try AltcraftPayload(provider).field("_vibration") == (isApple ? nil : .string("false")))
    }

    @Test(arguments: AltcraftPayload.dataMaps + AltcraftPayload.apple) func leavesOutWhatIsAbsentOnTheWire(
        _ provider: String
    ) throws {
        let names =
            AltcraftPayload.apple.contains(provider)
            ? ["_media", "_click-url", "aps/alert/subtitle"] : ["_icon", "_image", "_color", "_click_action"]
        let wire = try AltcraftPayload(provider)
        let documented = try AltcraftPayload(provider, isDocumented: true)
        for name in names {
            #expect(wire.field(name) == nil, "\(name)")
            #expect(documented.field(name) == .string(""), "\(name)")
        }
    }

    /// The mSDK shows a title and a body whatever they are; Apple's alert always has both.
    @Test func writesTitleAndBodyAlways() throws {
        for provider in AltcraftPayload.dataMaps {
            #expect(try AltcraftPayload(provider).field("_title") == .string("T"))
            #expect(try AltcraftPayload(provider).field("_body") == .string(""))
        }
        for provider in AltcraftPayload.apple {
            let payload = try AltcraftPayload(provider, Rendered(provider, #"{"body":"B"}"#))
            #expect(payload.field("aps/alert/title") == .string(""))
            #expect(payload.field("aps/alert/body") == .string("B"))
        }
    }

    @Test(arguments: AltcraftPayload.dataMaps + AltcraftPayload.apple) func writesButtonsAsAStringAlways(
        _ provider: String
    ) throws {
        for isDocumented in [false, true] {
            #expect(try AltcraftPayload(provider, isDocumented: isDocumented).field("_buttons") == .string("[]"))
            let buttons =
                #""buttons":[{"link":"shop://a?b='c'","label":"\"A\""},{"label":"B","link":"https://b.example"}]"#
            let expected =
                #"[{"label":"\"A\"","link":"shop://a?b='c'"},{"label":"B","link":"https://b.example"}]"#
            let payload = try AltcraftPayload(provider, buttons, isDocumented: isDocumented)
            #expect(payload.field("_buttons") == .string(expected))
        }
    }

    @Test func refusesMoreButtonsThanClientsTake() throws {
        func fields(_ count: Int) -> String {
            #""buttons":["# + Array(repeating: #"{"label":"A","link":"a:b"}"#, count: count).joined(separator: ",")
                + "]"
        }
        for provider in AltcraftPayload.providers {
            let countMax = AltcraftPayload.apple.contains(provider) ? 3 : 16
            _ = try AltcraftPayload(provider, fields(countMax))
            #expect(throws: Refused("/message/buttons too_many"), "\(provider)") {
                try AltcraftPayload(provider, fields(countMax + 1))
            }
        }
    }

    @Test func refusesATTLBeyondTheProviders() throws {
        for provider in AltcraftPayload.providers {
            let ttlMax = provider == "android-huawei" ? 1_296_000 : 2_419_200
            _ = try AltcraftPayload(provider, #""ttl":\#(ttlMax)"#)
            #expect(throws: Refused("/message/ttl out_of_range"), "\(provider)") {
                try AltcraftPayload(provider, #""ttl":\#(ttlMax + 1)"#)
            }
        }
    }

    private static let links = #"{"open":"\#(Sample.openLink)","ack":"\#(Sample.ackLink)"}"#

    @Test(arguments: AltcraftPayload.dataMaps + ["ios-firebase"]) func writesLinksAsText(_ provider: String) throws {
        #expect(try AltcraftPayload(provider).field("_hub_link") == .string(Self.links))
    }

    @Test(arguments: ["ios-apns", "ios-huawei"]) func writesLinksAsAnObject(_ provider: String) throws {
        let links = try JSONValue(parsing: Array(Self.links.utf8).span.bytes)
        #expect(try AltcraftPayload(provider).field("_hub_link") == links)
    }

    @Test(arguments: AltcraftPayload.dataMaps + AltcraftPayload.apple) func writesIdentifiers(
        _ provider: String
    ) throws {
        var sent = Sample.message
        sent.provider = try #require(Provider(name: provider))
        for isDocumented in [false, true] {
            let payload = try AltcraftPayload(provider, isDocumented: isDocumented)
            #expect(payload.field("_ac_push") == .string("Altcraft"))
            #expect(payload.field("_uid") == .string(sent.text()))
            #expect(payload.field("_provider") == sent.provider.label.map(JSONValue.string))
            let isDocumentsOwn = provider != "ios-apns" && provider != "ios-huawei"
            #expect(
                payload.field("_launch_id")
                    == (isDocumented && !isDocumentsOwn ? nil : .string(sent.launch.text)))
        }
    }

    @Test(arguments: AltcraftPayload.dataMaps + AltcraftPayload.apple) func putsAkUIDAfterUIDWhenWanted(
        _ provider: String
    ) throws {
        let with = try AltcraftPayload(provider, hasAkUID: true).fields
        let without = try AltcraftPayload(provider).fields
        let index = try #require(with.firstIndex { $0.name == "_uid" })
        #expect(with[index + 1].name == "ak_uid" && with[index + 1].value == with[index].value)
        #expect(with.map(\.name).filter { $0 != "ak_uid" } == without.map(\.name))
        #expect(!without.contains { $0.name == "ak_uid" })
    }

    @Test func writesAppleConstants() throws {
        for provider in AltcraftPayload.apple {
            let payload = try AltcraftPayload(provider)
            #expect(payload.field("aps/category") == .string("Altcraft"))
            #expect(payload.field("aps/mutable-content") == .number("1"))
        }
        #expect(try AltcraftPayload("ios-huawei")["message/apns/hms_options/target_user_type"] == .number("1"))
    }

    /// HMS refuses an object as `data`, and anything but strings within it.
    @Test func writesHuaweiDataAsOneString() throws {
        let fields = #""data":{"number":1,"object":{"a":[true]}}"#
        let wire = try AltcraftPayload("android-huawei", fields)
        guard case .string? = wire["message/data"] else { return #expect(Bool(false), "no string") }
        guard case .object? = try AltcraftPayload("android-huawei", fields, isDocumented: true)["message/data"] else {
            return #expect(Bool(false), "no object")
        }
        for member in try wire.fields { #expect(member.value.text != nil, "\(member.name)") }
    }
}
