import StrictJSON
import Testing

@testable import PushPayloads

/// Which text a device gets: the exact locale's, its language's, the base's.
@Suite struct CarillonLocalizationTests {
    private static let message = #"""
        {"title":"base","body":"base body","subtitle":"base sub","image":"https://a.example/base.png","localizations":{
          "pt_BR":{"title":"pt-br"}, "pt":{"title":"pt","body":"pt body"}, "zh":{"title":"zh"},
          "zh-Hans-CN":{"title":"zh-hans-cn"}, "EN-gb":{"image":"https://a.example/gb.png"}, "de":null, "fil":{}}}
        """#

    @Test(
        arguments: [
            (nil, "base"), ("", "base"), ("ja", "base"), ("ja-JP", "base"), ("pt-BR", "pt-br"), ("pt_br", "pt-br"),
            ("PT_BR", "pt-br"), ("pt-PT", "pt"), ("pt", "pt"), ("ptx", "base"), ("zh-Hant-TW", "zh"),
            ("zh_Hans_CN", "zh-hans-cn"), ("zh-Hans", "zh"), ("zh_TW_#Hant", "zh"), ("en-GB", "base"), ("de", "base"),
            ("fil-PH", "base"), ("pt_BR@calendar=gregorian", "pt-br"), ("pt_BR.UTF-8", "pt-br"), ("zh.UTF-8", "zh"),
        ] as [(String?, String)])
    func aDeviceGetsItsLocaleThenItsLanguageThenTheBase(_ locale: String?, _ title: String) throws {
        for platform in CarillonFieldTests.platforms {
            var request = Rendered.Request(platform, Self.message)
            request.locale = locale
            let rendered = try Rendered(request)
            let isIOS = platform == "carillon-ios"
            let shown = isIOS ? rendered["aps", "alert", "title"] : rendered["message", "notification", "title"]
            #expect(shown == .string(title), "\(platform)")
        }
    }

    @Test func anEntryOverridesOnlyWhatItCarries() throws {
        var request = Rendered.Request("carillon-ios", Self.message)
        request.locale = "pt-PT"
        let alert = try Rendered(request)["aps", "alert"]
        #expect(alert?["title"] == .string("pt"))
        #expect(alert?["body"] == .string("pt body"))
        #expect(alert?["subtitle"] == .string("base sub"))
    }

    @Test func anEntrysImageStandsWhereverTheBasesWould() throws {
        let url = JSONValue.string("https://a.example/gb.png")
        var request = Rendered.Request("carillon-ios", Self.message)
        request.locale = "en_GB"
        #expect(try Rendered(request)["carillon", "image"] == url)
        request.provider = Rendered.Request("carillon-android", "").provider
        let android = try Rendered(request)
        #expect(android["message", "android", "notification", "image"] == url)
        #expect(android["message", "data", "carillon", "image"] == url)
    }

    @Test func anEntrysImageAloneMakesTheContentMutable() throws {
        var request = Rendered.Request(
            "carillon-ios", #"{"title":"T","localizations":{"fr":{"image":"https://a.example/i.png"}}}"#)
        #expect(try Rendered(request)["aps", "mutable-content"] == nil)
        request.locale = "fr"
        #expect(try Rendered(request)["aps", "mutable-content"] == .number("1"))
    }

    @Test func anEmptyTextOfAnEntryTakesTheBasesAway() throws {
        var request = Rendered.Request(
            "carillon-ios", #"{"title":"T","body":"B","subtitle":"S","localizations":{"fr":{"body":"","subtitle":""}}}"#
        )
        request.locale = "fr"
        #expect(try Rendered(request)["aps", "alert"] == .object([JSONMember(name: "title", value: .string("T"))]))
    }

    @Test func anEntryThatLeavesNothingToShowIsRefused() throws {
        let message = #"{"title":"T","localizations":{"fr":{"title":""}}}"#
        for platform in CarillonFieldTests.platforms {
            #expect(throws: Refused("/message/localizations/fr empty_payload")) { try Rendered(platform, message) }
        }
        _ = try Rendered("carillon-ios", #"{"title":"T","apns":{"a":1},"localizations":{"fr":{"title":""}}}"#)
    }

    @Test(arguments: [
        (#"{"f":{}}"#, "f invalid"), (#"{"":{}}"#, " invalid"), (#"{"fr FR":{}}"#, "fr FR invalid"),
        (#"{"fr.UTF-8":{}}"#, "fr.UTF-8 invalid"), (#"{"fré":{}}"#, "fré invalid"),
        (#"{"aaaaaaaaabbbbbbbbbbccccccccccdddddddd":{}}"#, "aaaaaaaaabbbbbbbbbbccccccccccdddddddd invalid"),
        (#"{"fr":{},"FR":{}}"#, "FR repeated"), (#"{"pt-BR":{},"pt_br":{}}"#, "pt_br repeated"),
        (#"{"fr":[]}"#, "fr type"), (#"{"fr":"Bonjour"}"#, "fr type"),
        (#"{"fr":{"data":{}}}"#, "fr/data unknown_field"), (#"{"fr":{"sound":"s"}}"#, "fr/sound unknown_field"),
        (#"{"fr":{"title":1}}"#, "fr/title type"),
        (#"{"fr":{"image":"http://a.example/i"}}"#, "fr/image invalid_image_url"),
        (#"{"fr":{"image":""}}"#, "fr/image invalid_image_url"),
    ])
    func refusesAnEntry(_ localizations: String, _ fault: String) {
        for platform in CarillonFieldTests.platforms {
            #expect(throws: Refused("/message/localizations/\(fault)"), "\(platform)") {
                try Rendered(platform, #"{"title":"T","localizations":\#(localizations)}"#)
            }
        }
    }

    @Test func atMostTwoHundredLocalesAreAccepted() throws {
        func message(_ count: Int) -> String {
            let entries = (0..<count).map { "\"l-\($0)\":{\"title\":\"\($0)\"}" }
            return #"{"title":"T","localizations":{\#(entries.joined(separator: ","))}}"#
        }
        var request = Rendered.Request("carillon-android", message(200))
        request.locale = "L_199"
        #expect(try Rendered(request)["message", "notification", "title"] == .string("199"))
        #expect(throws: Refused("/message/localizations too_many")) { try Rendered("carillon-android", message(201)) }
    }
}
