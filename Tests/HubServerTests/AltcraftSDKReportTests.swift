import HubLinks
import MessageIDs
import StrictJSON
import Testing

@testable import HubServer

/// How a report of Altcraft's SDKs is read and named.
@Suite struct AltcraftSDKReportTests {
    private static let message = SendMessageID(
        account: 3, campaign: 7, resource: 5, channel: .push, subscription: 43, profile: ProfileID(42),
        sentAt: 1_790_000_000_000_000_000, launchedAt: 1_790_000_000_000_000_000, provider: Provider(rawValue: 1),
        isTest: false, privacy: .keepAddress)
    private static let uid = Self.message.text()

    private func read(_ kind: EventKind, _ body: String) -> Result<AltcraftSDKReport, DialectRefusal> {
        Result { () throws(DialectRefusal) in try AltcraftSDKReport(kind, body: Array(body.utf8)) }
    }

    private func reason(_ kind: EventKind, smid: String) -> DialectRefusal.Reason? {
        guard case .failure(let refusal) = self.read(kind, "{\"time\":1,\"smid\":\(smid)}") else { return nil }
        return refusal.reason
    }

    /// The id as it is, or with the type that the path says glued on; nothing else.
    @Test func readsTheMessage() throws {
        let (uid, email) = (Self.uid, Self.message.text(.emailSafe))
        for (kind, text) in [
            (EventKind.ack, uid), (.open, uid), (.ack, uid + "delivery"), (.open, uid + "open"), (.ack, email),
            (.open, email + "open"),
        ] {
            #expect(try self.read(kind, "{\"smid\":\"\(text)\"}").get().message == Self.message)
        }
        for (kind, text) in [
            (EventKind.ack, uid + "open"), (.open, uid + "delivery"), (.open, uid + "openopen"), (.open, uid + "Open"),
            (.open, "open"), (.open, ""), (.ack, String(uid.dropLast())), (.ack, uid + "1"), (.ack, " " + uid),
            (.ack, Self.message.uniqueText), (.ack, "w4HFn8RPDFUi_2_4S_S_3___6.2NvyN8Hb67wmzJshM_6BuFTt"),
            (.ack, String(repeating: "T", count: 60_000)),
        ] {
            #expect(self.reason(kind, smid: "\"\(text)\"") == .unknownMessage, "\(text.prefix(100))")
        }
    }

    /// Every id of one letter changed is refused.
    @Test func checksumDecides() {
        for index in Self.uid.indices where index != Self.uid.startIndex {
            var text = Self.uid
            text.replaceSubrange(index...index, with: text[index] == "2" ? "3" : "2")
            #expect(self.reason(.ack, smid: "\"\(text)\"") == .unknownMessage)
        }
    }

    @Test(arguments: [
        "", " ", "null", "[]", "\"x\"", "7", "{}", "{\"time\":1}", "{\"smid\":null}", "{\"smid\":7}", "{\"smid\":[]}",
        "{\"smid\":{}}", "{\"SMID\":\"x\"}", "{\"smid\":\"\(Self.uid)\"", "{\"smid\":\"\(Self.uid)\"}}",
        "{\"smid\":\"\(Self.uid)\",\"smid\":\"\(Self.uid)\"}", "{'smid':'\(Self.uid)'}",
        "{\"smid\":\"\(Self.uid)\",\"x\":" + String(repeating: "[", count: 30_000),
        "{\"smid\":\"\(Self.uid)\u{0}\"}", "time=1&smid=\(Self.uid)",
    ])
    func refusesWhatIsMalformed(body: String) {
        guard case .failure(let refusal) = self.read(.ack, body) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.reason == .malformed)
    }

    /// A time that can't be read loses nothing but itself.
    @Test(
        arguments: [
            ("1767225600", 1_767_225_600_000_000_000), ("\"1767225600\"", 1_767_225_600_000_000_000), ("0", 0),
            ("-5", 0),
            ("1767225600123", .max), ("9223372036854775807", .max), ("9223372036854775808", nil), ("1.5", nil),
            ("1e9", nil), ("\"soon\"", nil), ("\"\"", nil), ("null", nil), ("true", nil), ("[1]", nil), ("{}", nil),
        ] as [(String, UInt64?)])
    func readsTheTime(text: String, nanoseconds: UInt64?) throws {
        let report = try self.read(.ack, "{\"smid\":\"\(Self.uid)\",\"time\":\(text),\"more\":{\"a\":[]}}").get()
        #expect(report.event(requestID: "r").deviceAt == nanoseconds)
    }

    /// A repeat has its report's name, whatever the SDK puts into Request-ID; another event has another.
    @Test func namesReports() throws {
        func name(_ kind: EventKind, time: String, _ requestID: String?, smid: String = Self.uid) throws -> UInt128? {
            try self.read(kind, "{\"time\":\(time),\"smid\":\"\(smid)\"}").get().event(requestID: requestID).report
        }
        let uuid = "0b0e7bfc-3f8c-4f0a-a4a2-2a9d5e4d7f11"
        let (uid, glued) = (Self.uid, Self.uid + "open")
        var other = Self.message
        other.subscription = 44
        let distinct: [UInt128?] = [
            // Newer SDKs: a UUID an event.
            try name(.ack, time: "100", uuid), try name(.open, time: "100", uuid),
            try name(.open, time: "100", uuid + "0"), try name(.open, time: "100", uuid, smid: other.text()),
            // Old Android: the message's id for its delivery and for every open.
            try name(.ack, time: "100", uid), try name(.open, time: "100", uid), try name(.open, time: "101", uid),
            // Old iOS: the same with the type glued on.
            try name(.open, time: "102", glued, smid: glued), try name(.open, time: "103", glued, smid: glued),
            // No Request-ID: the time alone is left.
            try name(.open, time: "100", nil), try name(.open, time: "101", nil), try name(.open, time: "100", "100"),
        ]
        #expect(distinct.allSatisfy { $0 != nil })
        #expect(Set(distinct).count == distinct.count)
        // With the type glued to one of the two only, it is the old iOS SDK's report all the same.
        #expect(try name(.open, time: "100", glued) == distinct[5])
        // A UUID names the event, though its time were told in another way.
        #expect(try name(.ack, time: "\"101\"", uuid) == distinct[0])
        #expect(try name(.ack, time: "100", uid) == distinct[4])
        #expect(try name(.open, time: "\"100\"", "") == distinct[9])
        // Neither says anything: no repeat can be told from a second event.
        #expect(try name(.open, time: "null", nil) == nil)
    }
}
