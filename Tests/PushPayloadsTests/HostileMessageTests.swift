import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import PushPayloads

/// Messages of megabytes, made to cost a renderer far more than they cost their sender.
@Suite(.blocking) struct HostileMessageTests {
    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var providers: [String]
        /// How much of it there is at most: the whole is within a body's 8 MiB.
        var count: Int
        var message: @Sendable (_ count: Int) -> JSONValue
    }

    private static func members(_ count: Int, nameBytes: Int = 0, _ value: JSONValue = .number("1")) -> JSONValue {
        .object(
            (0..<count).map { index in
                let name = "k\(index)"
                let filler = String(repeating: "-", count: max(nameBytes - name.utf8.count, 0))
                return JSONMember(name: name + filler, value: value)
            })
    }

    private static func object(_ members: (String, JSONValue)...) -> JSONValue {
        .object(members.map { JSONMember(name: $0, value: $1) })
    }

    private static let altcraft = ["android-firebase", "ios-apns", "ios-appmetrica", "android-huawei"]
    private static let pushwoosh = PushwooshFieldTests.platforms
    private static let carillon = CarillonFieldTests.platforms
    private static let title = ("title", JSONValue.string("T"))
    private static let content = ("content", JSONValue.string("T"))
    private static let group = ("appmetrica", JSONValue.object([JSONMember(name: "group_id", value: .number("1"))]))

    static let hostiles: [Hostile] = [
        Hostile(testDescription: "members of aps", providers: pushwoosh, count: 200_000) {
            object(content, ("ios_root_params", object(("aps", members($0)))))
        },
        Hostile(testDescription: "members of an alert in aps", providers: pushwoosh, count: 200_000) {
            object(content, ("ios_root_params", object(("aps", object(("alert", members($0)))))))
        },
        Hostile(testDescription: "a nested object of root params", providers: pushwoosh, count: 200_000) {
            object(content, ("android_root_params", object(("o", members($0)))))
        },
        Hostile(testDescription: "userdata", providers: pushwoosh, count: 200_000) {
            object(content, ("data", members($0)))
        },
        Hostile(testDescription: "a text to be cut", providers: pushwoosh, count: 200_000) {
            object(
                ("content", .string(String(repeating: "x", count: 4096))), ("ios_trim_content", .number("1")),
                ("ios_root_params", members($0)))
        },
        Hostile(testDescription: "long names in data and in the platform's", providers: altcraft, count: 2_000) {
            let data = members($0, nameBytes: 245)
            return object(
                title, group, ("data", data), ("android", object(("data", data))), ("ios", object(("data", data))))
        },
        Hostile(testDescription: "short names in data and in the platform's", providers: altcraft, count: 200_000) {
            let data = members($0)
            return object(
                title, group, ("data", data), ("android", object(("data", data))), ("ios", object(("data", data))))
        },
        Hostile(testDescription: "overrides in every locale", providers: carillon, count: 400) { count in
            let locales = (0..<200).map { JSONMember(name: "l\($0)", value: object(title)) }
            let override = members(count)
            return object(title, ("apns", override), ("android", override), ("localizations", .object(locales)))
        },
        Hostile(testDescription: "large overrides in every locale", providers: carillon, count: 200_000) { count in
            let locales = (0..<200).map { JSONMember(name: "l\($0)", value: object(title)) }
            let override = object(("aps", members(count)))
            return object(title, ("apns", override), ("android", override), ("localizations", .object(locales)))
        },
    ]

    /// Twice as much costs at most three times as much.
    @Test(arguments: hostiles) func costsNoMoreThanItsShare(_ hostile: Hostile) throws {
        let large = hostile.message(hostile.count)
        #expect(large.bytes.count <= 8 << 20)
        let small = hostile.message(hostile.count / 2)
        for name in hostile.providers {
            let provider = try #require(Provider(name: name))
            let growth = ProcessorTime.growth(from: small, to: large) { message in
                var faults = FieldFaults()
                _ = PayloadTemplate(
                    provider, message: message, at: .member(of: .root, name: "message"),
                    options: PayloadOptions(linkBytesMax: Sample.linkBytesMax), faults: &faults)
            }
            #expect(growth <= 3, "\(name)")
        }
    }

    /// What no payload has room for is refused where it stands, with a fault and no more work.
    @Test(arguments: [
        ("pushwoosh-android", #"{"content":"x","data":{"k":"LONG"}}"#, "/message/data"),
        ("pushwoosh-ios", #"{"content":"x","data":{"k":"LONG"}}"#, "/message/data"),
        ("pushwoosh-android", #"{"content":"x","android_root_params":{"k":"LONG"}}"#, "/message/android_root_params"),
        ("pushwoosh-ios", #"{"content":"x","android_root_params":{"k":"LONG"}}"#, "/message/android_root_params"),
        ("pushwoosh-ios", #"{"content":"x","ios_root_params":{"aps":{"k":["LONG"]}}}"#, "/message/ios_root_params"),
        ("android-firebase", #"{"title":"T","data":{"k":"LONG"}}"#, "/message/data"),
        ("android-firebase", #"{"title":"T","android":{"data":{"k":["LONG"]}}}"#, "/message/android/data"),
        ("ios-apns", #"{"title":"T","ios":{"data":{"LONG":1}}}"#, "/message/ios/data"),
        ("ios-apns", #"{"title":"T","android":{"data":{"k":{"a":"LONG"}}}}"#, "/message/android/data"),
        ("carillon-ios", #"{"title":"T","data":{"k":"LONG"}}"#, "/message/data"),
        ("carillon-ios", #"{"title":"T","android":{"data":{"k":"LONG"}}}"#, "/message/android"),
        ("carillon-android", #"{"title":"T","apns":{"aps":{"alert":"LONG"}}}"#, "/message/apns"),
    ])
    func refusesAnObjectThatNoPayloadHasRoomFor(_ provider: String, _ message: String, _ pointer: String) {
        let long = String(repeating: "x", count: 4096)
        #expect(throws: Refused("\(pointer) payload_too_large")) {
            try Rendered(provider, message.replacing("LONG", with: long))
        }
    }

    /// FCM counts a control character as the one byte that it is, JSON as six.
    @Test(arguments: [
        ("android-firebase", #"{"title":"T","data":{"k":"FILLER"}}"#),
        ("pushwoosh-android", #"{"content":"x","android_root_params":{"k":"FILLER"}}"#),
    ])
    func acceptsWhatFitsAsTheProviderCounts(_ provider: String, _ message: String) throws {
        let filler = String(repeating: #"\u0001"#, count: 3_000)
        #expect(try Rendered(provider, message.replacing("FILLER", with: filler)).payloadBytes > 3_000)
    }
}
