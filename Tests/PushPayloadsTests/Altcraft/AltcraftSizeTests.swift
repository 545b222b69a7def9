import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// The border of what a provider takes, to the byte.
@Suite struct AltcraftSizeTests {
    private static let topic = "/topics/news"

    /// What a message with `filler` in its body has; throws the provider's refusal.
    private static func bytes(
        _ provider: String, body filler: String, token: String, isDocumented: Bool = false
    ) throws -> Int {
        var faults = FieldFaults()
        let json = #"{"body":"x\#(filler)","appmetrica":{"group_id":1}}"#
        let known = try #require(Provider(name: provider))
        let message = try JSONValue(parsing: Array(json.utf8).span.bytes)
        let options = PayloadOptions(isDocumented: isDocumented, linkBytesMax: Sample.linkBytesMax)
        let template = try #require(
            PayloadTemplate(
                known, message: message, at: .member(of: .root, name: "message"), options: options, faults: &faults))
        let recipient = try #require(PayloadRecipient(token: token))
        return try template.rendering(Sample.values(Sample.message, recipient)).payloadBytes
    }

    private static func recipients(_ provider: String) -> [(token: String, bytesMax: Int)] {
        [("token-1", 4096)] + (provider.contains("firebase") ? [(Self.topic, 2048)] : [])
    }

    @Test(arguments: AltcraftPayload.providers) func takesExactlyTheProvidersBytes(_ provider: String) throws {
        for (token, bytesMax) in Self.recipients(provider) {
            for isDocumented in [false, true] {
                let room = try bytesMax - Self.bytes(provider, body: "", token: token, isDocumented: isDocumented)
                let filler = String(repeating: "x", count: room)
                #expect(
                    try Self.bytes(provider, body: filler, token: token, isDocumented: isDocumented) == bytesMax)
                let refusal = FieldReason(
                    code: .payloadTooLarge,
                    detail: "The payload has \(bytesMax + 1) bytes; the provider takes \(bytesMax).")
                #expect(throws: refusal, "\(token)") {
                    try Self.bytes(provider, body: filler + "x", token: token, isDocumented: isDocumented)
                }
            }
        }
    }

    /// Bytes of UTF-8, neither characters nor UTF-16 units.
    @Test(arguments: AltcraftPayload.providers) func countsTextInUTF8(_ provider: String) throws {
        let empty = try Self.bytes(provider, body: "", token: "token-1")
        for (text, bytes) in [("é", 2), ("語", 3), ("😀", 4), ("e\u{301}", 3), ("👩‍👩‍👧‍👦", 25), ("\u{2028}", 3)] {
            let filled = try Self.bytes(provider, body: String(repeating: text, count: 20), token: "token-1")
            #expect(filled - empty == 20 * bytes, "\(text)")
        }
        let room = 4096 - empty
        let filler = String(repeating: "😀", count: room / 4) + String(repeating: "x", count: room % 4)
        #expect(try Self.bytes(provider, body: filler, token: "token-1") == 4096)
        #expect(throws: FieldReason.self) { try Self.bytes(provider, body: filler + "x", token: "token-1") }
    }

    /// FCM counts a quote as it is; APNs counts JSON, and HMS JSON within JSON.
    @Test(arguments: [
        ("android-firebase", 1), ("android-firebase-legacy", 1), ("android-rustore", 1), ("ios-firebase", 2),
        ("ios-apns", 2), ("ios-huawei", 2), ("ios-appmetrica", 2), ("android-appmetrica", 2), ("android-huawei", 4),
    ])
    func countsEscapesAsTheProviderDoes(_ provider: String, _ bytes: Int) throws {
        let empty = try Self.bytes(provider, body: "", token: "token-1")
        #expect(try Self.bytes(provider, body: #"\""#, token: "token-1") - empty == bytes)
    }

    @Test(arguments: AltcraftPayload.providers) func neverCountsTheToken(_ provider: String) throws {
        let short = try Self.bytes(provider, body: "", token: "t")
        #expect(try Self.bytes(provider, body: "", token: String(repeating: "t", count: 4096)) == short)
        if provider.contains("firebase") {
            #expect(try Self.bytes(provider, body: "", token: "/topics/a-long-name-of-a-topic") == short)
        }
    }

    @Test(arguments: [PayloadHole.token, .topic, .topicPath]) func neverCountsAnAddress(_ hole: PayloadHole) throws {
        let recipient = try #require(PayloadRecipient(token: Self.topic))
        let quotes = 2
        #expect(PayloadSize.json(.hole(hole)).bytes(with: Sample.values(Sample.message, recipient)) == quotes)
    }

    /// The data map, the APNs payload, the whole request: each provider's own part, in both forms.
    @Test(arguments: AltcraftPayload.providers) func countsThePartThatTheProviderCounts(_ provider: String) throws {
        let message = AltcraftPayload.message(
            #""body":"é\"","ttl":60,"priority":"normal","badge":1,"data":{"a":[1,"\""],"b":2},"sound":"s""#)
        for isDocumented in [false, true] {
            var request = Rendered.Request(provider, message)
            request.isDocumented = isDocumented
            let rendered = try Rendered(request)
            #expect(try rendered.payloadBytes == AltcraftPayload(provider, rendered).countedBytes)
        }
    }
}
