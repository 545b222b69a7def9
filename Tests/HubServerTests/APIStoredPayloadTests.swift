import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// Carillon's devices report by the message key alone, so the hub knows the message before they do.
@Suite(.blocking)
struct APIStoredPayloadTests {
    /// What the payload's `delivery_id` names is found by it alone, from JSON and from lines; what was refused is not.
    @Test(arguments: ["carillon-android", "carillon-ios"])
    func storesTheMessage(provider: String) async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let recipients = "[\(PayloadBody.recipient(1)),5]"
        let body = PayloadBody(provider: "\"\(provider)\"", recipients: recipients).text
        let whole = try await hub.render(token, body)
        #expect(whole.status == 200, "\(whole.text)")
        let lines = try await hub.renderLines(
            token, PayloadBody.line(2, provider: "\"\(provider)\"") + "{}\n"
        ).lines
        try await hub.settle()
        for element in [try whole.json["messages"]?.items?.first, lines.first] {
            let uid = element?["uid"]?.text ?? ""
            let sent = try SendMessageID(text: uid)
            let id = try #require(Self.text(named: "delivery_id", in: element?["payload"]))
            #expect(id == sent.messageKey.text)
            let known = try await hub.get("/v1/messages/\(id)", token)
            #expect(known.status == 200)
            #expect(try known.json["uid"]?.text == uid)
        }
    }

    /// With privacy 3 what is stored says nothing of the recipient.
    @Test func storesAnAnonymousMessageAsMinted() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let body = PayloadBody(provider: "30", more: ",\"privacy\":3").text
        let element = try (await hub.render(token, body)).json["messages"]?.items?.first
        let sent = try SendMessageID(text: element?["uid"]?.text ?? "")
        try await hub.settle()
        let known = try (await hub.get("/v1/messages/\(sent.messageKey.text)", token)).json
        #expect(known["uid"] == element?["uid"])
        #expect(known["profile_id"] == .string("0"))
        #expect(known["subscription_id"] == .string("0"))
    }

    /// Other providers' messages are not stored: their ids say all.
    @Test func storesNoOtherMessage() async throws {
        let hub = try await APITestHub.shared()
        let token = try await hub.token(APITestHub.newAccount())
        let element = try (await hub.render(token, PayloadBody().text)).json["messages"]?.items?.first
        let sent = try SendMessageID(text: element?["uid"]?.text ?? "")
        try await hub.settle()
        #expect(try await hub.get("/v1/messages/\(sent.messageKey.text)", token).status == 404)
    }

    /// The first text of that name, at any depth, in JSON that a string holds too.
    private static func text(named name: String, in value: JSONValue?) -> String? {
        if let text = value?.text, let inner = try? JSONValue(parsing: Array(text.utf8).span.bytes) {
            return self.text(named: name, in: inner)
        }
        for member in value?.members ?? [] {
            if member.name == name, let text = member.value.text { return text }
            if let found = self.text(named: name, in: member.value) { return found }
        }
        return nil
    }
}
