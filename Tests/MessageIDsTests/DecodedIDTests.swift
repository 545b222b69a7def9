import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct DecodedIDTests {
    private static let older = "w4HFn8RPDFUi_2_4S_S_3___6.2NvyN8Hb67wmzJshM_6BuFTt"

    private func value(_ decoded: DecodedID, _ name: String) -> String? {
        decoded.fields.first { $0.name == name }?.value
    }

    /// Each of our forms is named, and gives what it holds.
    @Test(arguments: Vector.all) func explainsOurForms(_ vector: Vector) throws {
        let id = try vector.id
        let full = try DecodedID(text: vector.full)
        #expect(full.family == "full")
        #expect(full.message == id)
        #expect(full.launch == id.launch)
        #expect(full.unique?.text == vector.unique)
        #expect(self.value(full, "account_id") == vector.message.account)
        #expect(self.value(full, "profile_id") == vector.message.profile)
        #expect(self.value(full, "launch_id") == vector.launchId)
        #expect(self.value(full, "message_key") == vector.messageKey)
        #expect(self.value(full, "provider") == id.provider.name)
        let email = try DecodedID(text: vector.email.uppercased())
        #expect(email.family == "email-safe")
        #expect(email.message == id)
        let unique = try DecodedID(text: vector.unique)
        #expect(unique.family == "unique")
        #expect(unique.message == nil)
        #expect(unique.unique?.key == id.messageKey)
        let launch = try DecodedID(text: vector.launchId)
        #expect(launch.family == "launch")
        #expect(launch.launch == id.launch)
        let key = try DecodedID(text: vector.messageKey)
        #expect(key.family == "message-key")
        #expect(self.value(key, "message_key") == vector.messageKey)
    }

    /// The public example of a launch.
    @Test func explainsThePublicLaunch() throws {
        let decoded = try DecodedID(text: "2_4S_4HFn8RDhhmA")
        #expect(self.value(decoded, "account_id") == "1")
        #expect(self.value(decoded, "campaign_id") == "224")
        #expect(self.value(decoded, "launched_at") == "2020-10-06T12:35:55.942397338Z")
    }

    /// The public example of the oldest form: what can be read is, what can't is called opaque.
    @Test func explainsTheOlderForm() throws {
        let decoded = try DecodedID(text: Self.older)
        #expect(decoded.family == "altcraft-w")
        #expect(decoded.message == nil)
        #expect(self.value(decoded, "sent_at") == "2020-10-06T12:35:56.059738861Z")
        #expect(self.value(decoded, "account_id") == "1")
        #expect(self.value(decoded, "campaign_id") == "224")
        #expect(self.value(decoded, "field_4")?.hasPrefix("50") == true)
        #expect(self.value(decoded, "field_5")?.hasPrefix("2") == true)
        #expect(self.value(decoded, "database_id") == "5")
        #expect(self.value(decoded, "profile_id") == "00000000-5f7c-44de-aee1-7a447ab8c315")
        #expect(self.value(decoded, "check")?.contains("opaque") == true)
    }

    /// The public example of the packed form, which holds a launch, an id and a provider.
    @Test func explainsThePackedForm() throws {
        let decoded = try DecodedID(text: "e|2_4S_4HFn8RDhhmA|\(Self.older)|ios-apns")
        #expect(decoded.family == "altcraft-packed")
        #expect(decoded.launch == LaunchID(account: 1, campaign: 224, launchedAt: 1_601_987_755_942_397_338))
        #expect(self.value(decoded, "provider") == "ios-apns")
        #expect(self.value(decoded, "id.family") == "altcraft-w")
        #expect(self.value(decoded, "id.campaign_id") == "224")
        #expect(decoded.message == nil)
    }

    /// A packed form around one of our ids gives the message.
    @Test func packedFormGivesOurMessage() throws {
        let vector = Vector.all[0]
        let decoded = try DecodedID(text: "e|\(vector.launchId)|\(vector.full)|iosapns")
        #expect(decoded.message == (try vector.id))
        #expect(self.value(decoded, "id.family") == "full")
    }

    /// The forms whose layout is not public are named, and shown as they stand.
    @Test(arguments: [("u", "altcraft-u"), ("m", "altcraft-m"), ("f", "altcraft-f")])
    func namesOpaqueForms(_ letter: String, _ family: String) throws {
        let decoded = try DecodedID(text: letter + "4HFn8RPDFUi2abcDEF")
        #expect(decoded.family == family)
        #expect(self.value(decoded, "opaque") == "4HFn8RPDFUi2abcDEF")
        #expect(self.value(decoded, "use") != nil)
        #expect(decoded.message == nil && decoded.launch == nil && decoded.unique == nil)
    }

    /// A launch whose account begins like a vendor's letter is a launch.
    @Test func launchesWinOverLetters() throws {
        for letter in ["u2_3_4", "m2_3_4HFn8RDhhmA", "w_2_4HFn8RDhhmA", "e2_2_2", "T_2_2", "U_2_2"] {
            #expect(try DecodedID(text: letter).family == "launch")
        }
    }

    /// Damage has its code in every form.
    @Test(arguments: [
        ("", MessageIDError.Code.unknownForm), ("hello", .unknownForm), ("123", .unknownForm), ("u", .truncated),
        ("unknown", .truncated), ("2_4S_0", .alphabet), ("1_4S_4HFn8RDhhmA", .outOfRange), ("_|_", .unknownForm),
        ("e|2_4S_4HFn8RDhhmA", .truncated), ("e|2_4S_4HFn8RDhhmA|T|ios-apns", .truncated),
        ("e|2_4S_4HFn8RDhhmA|w4HFn8RPDFUi_2_4S|nowhere", .outOfRange), ("e|2_4S_4HFn8RDhhmA|x|3|y", .trailingBytes),
        ("e||w4HFn8RPDFUi_2_4S|3", .truncated), ("f|2|w|3", .unknownForm), ("wJPwcyDCgEuq_2_4S_2_", .outOfRange),
        ("w4HFn8RPDFUi", .truncated), ("w4HFn8RPDFUi_2_4S_0_", .alphabet), ("u4HFn8RPDFUi!abc", .alphabet),
        ("w4HFn8RPDFUi_2_4S_6.ZZZZZZZZZZZZZZZZZZZZZZZ_2", .outOfRange), ("T4HFn8RPDFUi", .truncated),
        (String(repeating: "w", count: 100_000), .trailingBytes),
    ])
    func refusesWithTheRightCode(_ text: String, _ code: MessageIDError.Code) {
        #expect(errorCode { () throws(MessageIDError) in try DecodedID(text: text) } == code)
    }

    /// Packed inside packed is refused, so nothing recurses.
    @Test func packedFormsDoNotNest() {
        let text = String(repeating: "e|2_4S_4HFn8RDhhmA|", count: 20) + "x|3"
        #expect(errorCode { () throws(MessageIDError) in try DecodedID(text: text) } == .trailingBytes)
    }
}
