import StrictJSON
import Testing

@testable import PushPayloads

/// Every localized payload of both platforms has at most 4096 bytes, stamp and raw overrides included, or none is sent.
@Suite struct CarillonSizeTests {
    private static let tooLarge = Refused("/message payload_too_large")
    private static let tokenMember = #""token":"token-1","#

    /// The JSON text that counts: of FCM's the message object without its token.
    private static func counted(_ rendered: Rendered, on platform: String) -> Int {
        let bytes = rendered.payload.utf8.count
        return platform == "carillon-ios" ? bytes : bytes - #"{"message":}"#.utf8.count - Self.tokenMember.utf8.count
    }

    /// A message that has `bytes` bytes on the platform, by a filler in its raw override, and far fewer on the other.
    private static func message(of bytes: Int, on platform: String, _ unit: String = "x") throws -> String {
        let override = platform == "carillon-ios" ? "apns" : "android"
        func message(_ filler: String) -> String {
            #"{"title":"T","thread_id":"\\","\#(override)":{"f":"\#(filler)"}}"#
        }
        let missing = bytes - Self.counted(try Rendered(platform, message("")), on: platform)
        let size = unit.utf8.count
        return message(
            String(repeating: unit, count: missing / size) + String(repeating: "x", count: missing % size))
    }

    @Test(arguments: CarillonFieldTests.platforms, ["x", "é", "👩‍👩‍👧", #"\""#])
    func aPayloadHasAtMost4096Bytes(_ platform: String, _ unit: String) throws {
        let message = try Self.message(of: 4096, on: platform, unit)
        let rendered = try Rendered(platform, message)
        #expect(rendered.payloadBytes == 4096)
        #expect(Self.counted(rendered, on: platform) == 4096)
        #expect(throws: Self.tooLarge) { try Rendered(platform, Self.message(of: 4097, on: platform, unit)) }
    }

    @Test(arguments: [("carillon-android", "carillon-ios"), ("carillon-ios", "carillon-android")])
    func theOtherPlatformsPayloadCountsToo(_ platform: String, _ other: String) throws {
        let rendered = try Rendered(platform, Self.message(of: 4096, on: other))
        #expect(rendered.payloadBytes < 1000)
        #expect(throws: Self.tooLarge) { try Rendered(platform, Self.message(of: 4097, on: other)) }
    }

    @Test(arguments: CarillonFieldTests.platforms) func everyLocalesPayloadCounts(_ platform: String) throws {
        func request(_ bytes: Int, _ locale: String?) -> Rendered.Request {
            let body = String(repeating: "b", count: bytes)
            var request = Rendered.Request(
                platform, #"{"title":"T","localizations":{"fr":{"title":"F"},"de":{"body":"\#(body)"},"it":{}}}"#)
            request.locale = locale
            return request
        }
        // The larger of the two platforms' decides: which of them it is does not matter here.
        let fits = (0...4096).last { (try? Rendered(request($0, "de"))) != nil }
        let most = try #require(fits)
        for locale in [nil, "fr", "de", "it", "ja"] {
            let bytes = try Rendered(request(most, locale)).payloadBytes
            #expect(locale == "de" ? bytes > 4000 : bytes < 1000)
            #expect(throws: Self.tooLarge, "\(locale ?? "-")") { try Rendered(request(most + 1, locale)) }
        }
    }

    /// By platform, fields whose text makes only its own payload too large: APNs' is the one that has a subtitle; FCM's has
    /// the image twice.
    private static let larger = [
        "carillon-ios": "\"subtitle\":\"" + String(repeating: "s", count: 4000) + "\"",
        "carillon-android": "\"image\":\"https://a.example/" + String(repeating: "i", count: 1900) + "\"",
    ]
    private static let smaller = #""subtitle":"S","image":"https://a.example/i""#

    @Test(arguments: CarillonFieldTests.platforms, CarillonFieldTests.platforms)
    func theBasesPayloadCountsForADeviceWithALocaleToo(_ platform: String, _ largerPlatform: String) throws {
        let large = try #require(Self.larger[largerPlatform])
        var request = Rendered.Request(
            platform, #"{"title":"T",\#(large),"localizations":{"fr":{\#(Self.smaller)}}}"#)
        request.locale = "fr"
        #expect(throws: Self.tooLarge) { try Rendered(request) }
    }

    @Test(arguments: CarillonFieldTests.platforms, CarillonFieldTests.platforms)
    func theOtherPlatformsPayloadCountsInEveryLocale(_ platform: String, _ largerPlatform: String) throws {
        let large = try #require(Self.larger[largerPlatform])
        let message = #"{"title":"T","localizations":{"fr":{\#(large)}}}"#
        #expect(throws: Self.tooLarge) { try Rendered(platform, message) }
    }

    @Test func theStampAndTheLinksCount() throws {
        for platform in CarillonFieldTests.platforms {
            var request = Rendered.Request(platform, try Self.message(of: 4096, on: platform))
            let bytes = try Rendered(request).payloadBytes
            request.isDocumented = true
            #expect(try Rendered(request).payloadBytes < bytes - Sample.ackLink.utf8.count)
            request.isDocumented = false
            request.hasAkUID = true
            #expect(throws: Self.tooLarge) { try Rendered(request) }
        }
    }

    @Test func theTokenDoesNotCount() throws {
        var request = Rendered.Request("carillon-android", try Self.message(of: 4096, on: "carillon-android"))
        request.token = String(repeating: "t", count: PayloadRecipient.tokenBytesMax)
        #expect(try Rendered(request).payloadBytes == 4096)
    }

    /// A text's own bound is above what a payload can hold: a text that is within it is refused as a payload.
    @Test func aTextOfItsOwnBoundIsAPayloadThatIsTooLarge() {
        for platform in CarillonFieldTests.platforms {
            let body = String(repeating: "b", count: PushLimits.textBytesMax)
            #expect(throws: Self.tooLarge) { try Rendered(platform, #"{"body":"\#(body)"}"#) }
        }
    }
}
