import StrictJSON
import Testing

@testable import PushPayloads

/// A recipient that is a topic: Firebase has them, and takes half the bytes.
@Suite struct AltcraftTopicTests {
    @Test(arguments: ["android-firebase", "ios-firebase"]) func writesATopicInPlaceOfTheToken(
        _ provider: String
    ) throws {
        let payload = try AltcraftPayload(provider, token: "/topics/news.%D0%B0")
        #expect(payload["message"]?.members?.first == JSONMember(name: "topic", value: .string("news.%D0%B0")))
        #expect(payload["message/token"] == nil)
        #expect(try payload.fields == AltcraftPayload(provider).fields)
    }

    @Test func writesATopicsPathInTheLegacyInterface() throws {
        let payload = try AltcraftPayload("android-firebase-legacy", token: "/topics/news")
        #expect(payload["to"] == .string("/topics/news"))
        #expect(try payload.fields == AltcraftPayload("android-firebase-legacy").fields)
    }

    @Test(arguments: AltcraftPayload.providers) func refusesATopicWhereThereAreNone(_ provider: String) {
        guard !provider.contains("firebase") else { return }
        #expect(throws: Refused("/message invalid")) { try AltcraftPayload(provider, token: "/topics/news") }
    }
}
