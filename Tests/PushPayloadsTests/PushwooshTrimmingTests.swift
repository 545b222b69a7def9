import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// `apns_trim_content` and `ios_trim_content`.
@Suite struct PushwooshTrimmingTests {
    private static let ios = "pushwoosh-ios"

    private static func message(_ content: String, _ fields: String = #","ios_trim_content":1"#) -> String {
        var json = JSONWriter()
        json.string(content)
        return "{\"content\":\(String(decoding: json.bytes, as: UTF8.self))\(fields)}"
    }

    private static func body(_ rendered: Rendered) throws -> String {
        try #require(rendered["aps", "alert", "body"]?.text)
    }

    /// One character each: with an escape, of two bytes, of many bytes and scalars.
    static let characters = ["x", "\n", "é", "e\u{301}", "👩‍💻", "🇩🇪", "\u{1}", "\\"]

    /// The payload of the recipient with the longest id and links, and its size.
    private static func largest(_ message: String) throws -> (bytes: Int, payload: String) {
        var faults = FieldFaults()
        let template = try #require(
            PayloadTemplate(
                Provider(rawValue: 21), message: JSONValue(parsing: Array(message.utf8).span.bytes), at: .root,
                options: PayloadOptions(linkBytesMax: Sample.linkBytesMax), faults: &faults))
        var sent = Sample.message
        sent.launchedAt = .max
        let link = Array(repeating: UInt8(ascii: "l"), count: Sample.linkBytesMax / 2)
        let values = PayloadValues(
            message: sent, uid: Array(repeating: UInt8(ascii: "u"), count: PushwooshPayload.hashBytesMax), launchID: [],
            ackLink: link, openLink: link, recipient: try #require(PayloadRecipient(token: "t")))
        let rendering = try template.rendering(values)
        var payload: [UInt8] = []
        template.appendPayload(rendering, values, to: &payload)
        return (rendering.payloadBytes, String(decoding: payload, as: UTF8.self))
    }

    @Test(arguments: characters) func cutsAtACharactersBorderSoThatTheLargestFitsJustSo(_ character: String) throws {
        let content = String(repeating: character, count: 4096 / character.utf8.count)
        let message = Self.message(content, #","ios_trim_content":1,"rich_media":"1E23F-EDCD6","ios_title":"title""#)
        let body = try Self.body(Rendered(Self.ios, message))
        #expect(body.hasSuffix("…"))
        let kept = String(body.dropLast())
        #expect(kept.utf8.elementsEqual(String(repeating: character, count: kept.count).utf8))
        let largest = try Self.largest(message)
        #expect(largest.bytes == largest.payload.utf8.count)
        #expect(largest.bytes <= 4096)
        var json = JSONWriter()
        json.string(character)
        #expect(largest.bytes + json.bytes.count - 2 > 4096, "one more character would fit")
    }

    @Test func everyRecipientGetsTheSameText() throws {
        let message = Self.message(String(repeating: "x", count: 4096))
        var request = Rendered.Request(Self.ios, message)
        let small = try Self.body(Rendered(request))
        request.sent.subscription = .max
        #expect(try Self.body(Rendered(request)) == small)
        #expect(try Self.largest(message).payload.contains("\"body\":\"\(small)\""))
    }

    @Test(arguments: ["apns_trim_content", "ios_trim_content"]) func eitherFieldSwitchesItOn(_ field: String) throws {
        let content = String(repeating: "x", count: 4096)
        let other = field == "ios_trim_content" ? "apns_trim_content" : "ios_trim_content"
        #expect(
            try Self.body(Rendered(Self.ios, Self.message(content, ",\"\(field)\":1,\"\(other)\":0"))).hasSuffix("…"))
        #expect(throws: Refused("/message payload_too_large")) {
            try Rendered(Self.ios, Self.message(content, ",\"\(field)\":0"))
        }
    }

    @Test func leavesATextThatFitsAsItIs() throws {
        #expect(try Self.body(Rendered(Self.ios, Self.message("hello world"))) == "hello world")
    }

    /// What is too large is not the text.
    @Test(arguments: [
        #","data":{"k":"LONG"}"#, #","ios_root_params":{"aps":{"alert":{"body":"LONG"}}}"#,
        #","ios_silent":1,"data":{"k":"LONG"}"#,
    ]) func refusesWhatNoCutMakesSmallEnough(_ fields: String) {
        let long = String(repeating: "x", count: 4000)
        #expect(throws: Refused("/message payload_too_large")) {
            try Rendered(
                Self.ios, Self.message("hello", #","ios_trim_content":1"# + fields.replacing("LONG", with: long)))
        }
    }

    /// The recipient with the largest ids is refused; nobody gets a text of which nothing is left.
    @Test func leavesATextWholeWhereNotOneCharacterWouldFit() throws {
        func message(dataBytes: Int) -> String {
            let data = String(repeating: "x", count: dataBytes)
            return Self.message("hello", #","ios_trim_content":1,"data":{"k":"\#(data)"}"#)
        }
        let room = 4096 - (try Rendered(Self.ios, message(dataBytes: 0)).payloadBytes)
        #expect(try Self.body(Rendered(Self.ios, message(dataBytes: room))) == "hello")
        #expect(throws: FieldReason.self) { try Self.largest(message(dataBytes: room)) }
    }

    @Test func androidIsNeverCut() {
        #expect(throws: Refused("/message payload_too_large")) {
            try Rendered("pushwoosh-android", Self.message(String(repeating: "x", count: 4096)))
        }
    }
}
