import MessageIDs
import StrictJSON
import Testing

@testable import PushPayloads

/// How large a payload and a message's ids may be.
@Suite struct PushwooshBoundTests {
    private static func message(textBytes: Int) -> String {
        #"{"content":"\#(String(repeating: "x", count: textBytes))"}"#
    }

    @Test(arguments: PushwooshFieldTests.platforms) func takes4096BytesAndNotOneMore(_ platform: String) throws {
        let small = try Rendered(platform, Self.message(textBytes: 1))
        let room = 4096 - small.payloadBytes
        let full = try Rendered(platform, Self.message(textBytes: 1 + room))
        #expect(full.payloadBytes == 4096)
        #expect(throws: Refused("/message payload_too_large")) {
            try Rendered(platform, Self.message(textBytes: 2 + room))
        }
    }

    @Test func apnsCountsTheJSONText() throws {
        let rendered = try Rendered("pushwoosh-ios", #"{"content":"a\"é\n","data":{"k":"\\"}}"#)
        #expect(rendered.payloadBytes == rendered.payload.utf8.count)
    }

    @Test(arguments: [false, true]) func fcmCountsNamesAndValues(_ isDocumented: Bool) throws {
        var request = Rendered.Request(
            "pushwoosh-android",
            #"{"content":"a\"é\n","data":{"k":"\\"},"rich_media":"ab-c","android_root_params":{"n":12,"o":{"a":"\""}}}"#
        )
        request.isDocumented = isDocumented
        let rendered = try Rendered(request)
        let members = try #require(rendered.json.members)
        let bytes = members.reduce(0) { sum, member in
            // `userdata`, which only the documented form has, counts as its text.
            sum + member.name.utf8.count + (member.value.text ?? #"{"k":"\\"}"#).utf8.count
        }
        #expect(rendered.payloadBytes == bytes)
    }

    /// 47 bytes of id: 64 characters while they begin with a 1, 65 when they begin with a 3.
    private static func large(account: Int64) -> SendMessageID {
        var message = Sample.message
        message.account = account
        message.resource = .max
        message.subscription = .max
        message.profile = ProfileID(0x0102_0304)
        return message
    }

    @Test(arguments: PushwooshFieldTests.platforms) func takesAnIDOf64CharactersAndNotOneMore(_ platform: String) throws
    {
        var request = Rendered.Request(platform, #"{"content":"x"}"#)
        for (account, length) in [(Int64(1), 64), (3, 65)] {
            request.sent = Self.large(account: account)
            request.sent.provider = request.provider
            try #require(request.sent.text().utf8.count == length)
            if length == 64 {
                #expect(try Rendered(request).json["p"] == .string(request.sent.text()))
            } else {
                #expect(throws: Refused("/message out_of_range")) { try Rendered(request) }
            }
        }
    }

    @Test(arguments: PushwooshFieldTests.platforms) func refusesTheLargestIDs(_ platform: String) {
        var request = Rendered.Request(platform, #"{"content":"x"}"#)
        request.sent = Self.large(account: .max)
        request.sent.campaign = .max
        request.sent.profile = ProfileID(.max)
        #expect(throws: Refused("/message out_of_range")) { try Rendered(request) }
    }
}
