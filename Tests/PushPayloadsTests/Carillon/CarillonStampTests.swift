import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// By the stamp the SDK reports the notification, by the links everyone else does: no override may touch them.
@Suite struct CarillonStampTests {
    private static let key = JSONValue.string(Sample.message(of: 30).messageKey.text)
    private static let links = JSONValue.object([
        JSONMember(name: "open", value: .string(Sample.openLink)),
        JSONMember(name: "ack", value: .string(Sample.ackLink)),
    ])
    private static let hostile = #"""
        {"title":"T","android":{"data":{"carillon":{"delivery_id":[]},"_hub_link":null,"ak_uid":"mine","x":1}},
         "apns":{"carillon":"mine","_hub_link":{"ack":"mine","more":1},"ak_uid":null,"x":1}}
        """#

    private func rendered(
        _ provider: String, _ message: String, isDocumented: Bool = false, hasAkUID: Bool = false
    ) throws -> Rendered {
        var request = Rendered.Request(provider, message)
        request.isDocumented = isDocumented
        request.hasAkUID = hasAkUID
        return try Rendered(request)
    }

    @Test func theDeliveryIDIsTheMessageKey() throws {
        let ios = try self.rendered("carillon-ios", #"{"title":"T"}"#)
        let key = Sample.message(of: 31).messageKey.text
        #expect(ios["carillon"] == .object([JSONMember(name: "delivery_id", value: .string(key))]))
        let android = try self.rendered("carillon-android", #"{"title":"T"}"#)
        #expect(android["message", "data", "carillon", "delivery_id"] == Self.key)
    }

    @Test func theAndroidStampIsAStringOfJSON() throws {
        let rendered = try self.rendered(
            "carillon-android", #"{"title":"T","image":"https://a.example/i","thread_id":"a\"\\b"}"#)
        let key = try #require(Self.key.text)
        let stamp = #"{"delivery_id":"\#(key)","image":"https://a.example/i","thread_id":"a\"\\b"}"#
        #expect(rendered["message", "data", "carillon"] == .string(stamp))
    }

    @Test func theIOSStampLeavesTheThreadToAPS() throws {
        let rendered = try self.rendered(
            "carillon-ios", #"{"title":"T","image":"https://a.example/i","thread_id":"t"}"#)
        #expect(rendered["carillon"]?.members?.map(\.name) == ["delivery_id", "image"])
        #expect(rendered["aps", "thread-id"] == .string("t"))
    }

    @Test func overridesDoNotTouchWhatIsTheHubs() throws {
        let ios = try self.rendered("carillon-ios", Self.hostile, hasAkUID: true)
        #expect(ios["carillon"]?.members?.map(\.name) == ["delivery_id"])
        #expect(ios["_hub_link"] == Self.links)
        #expect(ios["ak_uid"] == .string(Sample.message(of: 31).text()))
        #expect(ios["x"] == .number("1"))
        let android = try self.rendered("carillon-android", Self.hostile, hasAkUID: true)
        let data = try #require(android["message", "data"])
        for (name, value) in [
            ("carillon", data["carillon"]), ("_hub_link", data["_hub_link"]), ("ak_uid", data["ak_uid"]),
        ] {
            #expect(value?.text != nil)
            #expect(android["message", "android", "data", name] == android["message", "data", name])
        }
        #expect(android["message", "data", "carillon", "delivery_id"] == Self.key)
        #expect(android["message", "data", "_hub_link", "ack"] == .string(Sample.ackLink))
        #expect(data["ak_uid"] == .string(Sample.message(of: 30).text()))
    }

    @Test func theDocumentedFormHasNoLinksWhateverAnOverrideSays() throws {
        let ios = try self.rendered("carillon-ios", Self.hostile, isDocumented: true)
        #expect(try ios.json.members?.map(\.name) == ["aps", "x", "carillon"])
        let android = try self.rendered("carillon-android", Self.hostile, isDocumented: true)
        #expect(android["message", "data"]?.members?.map(\.name) == ["carillon"])
        #expect(android["message", "android", "data"]?.members?.map(\.name) == ["x", "carillon"])
    }

    @Test func theDocumentedFormIsElseTheSame() throws {
        let message = #"{"title":"T","ttl":60,"data":{"a":1},"android":{"data":{"b":2}},"apns":{"c":3}}"#
        for platform in CarillonFieldTests.platforms {
            let wire = try self.rendered(platform, message)
            let documented = try self.rendered(platform, message, isDocumented: true)
            #expect(documented.delivery == wire.delivery)
            #expect(try documented.json == Self.withoutLinks(try wire.json))
        }
    }

    private static func withoutLinks(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.filter { $0.name != "_hub_link" }
                .map { JSONMember(name: $0.name, value: Self.withoutLinks($0.value)) })
    }

    @Test func akUIDIsThereWhenAskedFor() throws {
        for platform in CarillonFieldTests.platforms {
            #expect(try !self.rendered(platform, #"{"title":"T"}"#).payload.contains("ak_uid"))
        }
    }

    @Test func theHubMustKnowTheMessageBeforehand() throws {
        for code: UInt8 in [30, 31] {
            var faults = FieldFaults()
            let message = JSONValue.object([JSONMember(name: "title", value: .string("T"))])
            let template = PayloadTemplate(
                Provider(rawValue: code), message: message, at: .root, options: PayloadOptions(linkBytesMax: 400),
                faults: &faults)
            #expect(template?.needsStoredMessage == true)
        }
    }
}

extension Sample {
    /// The message as it is minted for a provider: its key depends on it.
    fileprivate static func message(of code: UInt8) -> SendMessageID {
        var message = Self.message
        message.provider = Provider(rawValue: code)
        return message
    }
}
