import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// What becomes of each row of FCM's export and each of Huawei's receipts.
@Suite(.blocking) struct SourceItemTests {
    private static let message = SendMessageID(
        account: 1, campaign: 7, resource: 0, channel: .push, subscription: 43, profile: ProfileID(42),
        sentAt: 1_580_611_200_000_000_000, launchedAt: 1_580_611_200_000_000_000, provider: Provider(rawValue: 6),
        isTest: false, privacy: .keepAddress)
    private static let uid = message.text()
    private static let id = "0:1500415314455276%31bd1c9631bd1c96"

    private static func map() throws -> MessageMap {
        let folder = TemporaryFolder()
        try folder.write("projects/p/messages/\(self.id),\(self.uid)\nspring,\(self.uid)\n", to: "map")
        var lines = try InputLines(path: folder.file("map"), lineBytesMax: 1_000)
        return try MessageMap(&lines)
    }

    private static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8).span.bytes) }

    private static func row(_ event: String, _ id: String = Self.id, at: String = "2020-02-02 02:40:00 UTC") -> String {
        """
        {"event_timestamp":"\(at)","project_number":"123","message_id":"\(id)","instance_id":"c1","app_name":"a.b",\
        "message_type":"DATA_MESSAGE","sdk_platform":"ANDROID","event":"\(event)"}
        """
    }

    private static func ack(_ id: String, at: UInt64 = 1_580_611_200_000_000_000) -> SourceItem {
        .event(SourceEvent(kind: .ack, uid: self.uid, at: at, id: id))
    }

    /// Only a delivery is an event; every other one that Firebase lists is ignored under its own name.
    @Test(arguments: [
        "MESSAGE_ACCEPTED", "MISSING_REGISTRATIONS", "UNAUTHORIZED_REGISTRATION", "MESSAGE_RECEIVED_INTERNAL_ERROR",
        "MISMATCH_SENDER_ID", "QUOTA_EXCEEDED", "INVALID_REGISTRATION", "INVALID_PACKAGE_NAME",
        "INVALID_APNS_CREDENTIAL", "INVALID_PARAMETERS", "PAYLOAD_TOO_LARGE", "AUTHENTICATION_ERROR", "INVALID_TTL",
        "SOMETHING_NEW", "",
    ])
    func ignoresWhatIsNoDelivery(event: String) throws {
        #expect(try BigQueryRow.item(Self.json(Self.row(event)), Self.map()) == .ignored(event))
    }

    @Test func takesDeliveries() throws {
        let map = try Self.map()
        #expect(BigQueryRow.item(try Self.json(Self.row("MESSAGE_DELIVERED")), map) == Self.ack(Self.id))
        let full = Self.row("MESSAGE_DELIVERED", "projects/p/messages/\(Self.id)")
        #expect(BigQueryRow.item(try Self.json(full), map) == Self.ack(Self.id))
        let other = Self.row("MESSAGE_DELIVERED", "0:1")
        #expect(BigQueryRow.item(try Self.json(other), map) == .ignored("unknown message"))
    }

    /// A row that can't be understood says which column is wrong.
    @Test(arguments: [
        ("[]", "type"), ("1", "type"), ("{}", "event"), ("{\"event\":null}", "event"), ("{\"event\":1}", "event"),
        ("{\"event\":\"MESSAGE_DELIVERED\"}", "message_id"),
        ("{\"event\":\"MESSAGE_DELIVERED\",\"message_id\":\"\"}", "message_id"),
        ("{\"event\":\"MESSAGE_DELIVERED\",\"message_id\":\"a\"}", "event_timestamp"),
        ("{\"event\":\"MESSAGE_DELIVERED\",\"message_id\":\"a\",\"event_timestamp\":1580611200}", "event_timestamp"),
        ("{\"event\":\"MESSAGE_DELIVERED\",\"message_id\":\"a\",\"event_timestamp\":\"soon\"}", "event_timestamp"),
    ])
    func refusesBrokenRows(row: String, code: String) throws {
        guard case .refused(code, _) = BigQueryRow.item(try Self.json(row), MessageMap()) else {
            Issue.record("not refused as \(code): \(row)")
            return
        }
    }

    /// BigQuery's own form, with and without a fraction and a zone, and RFC 3339.
    @Test(
        arguments: [
            ("2020-02-02 02:40:00 UTC", 0), ("2020-02-02 02:40:00", 0), ("2020-02-02T02:40:00Z", 0),
            ("2020-02-02 02:40:00+00:00", 0), ("2020-02-02T03:40:00+01:00", 0),
            ("2020-02-02 02:40:00.5 UTC", 500_000_000),
            ("2020-02-02 02:40:00.123456 UTC", 123_456_000), ("2020-02-02 02:40:00.123456", 123_456_000),
        ] as [(String, UInt64)])
    func readsTimes(text: String, nanoseconds: UInt64) {
        #expect(BigQueryRow.nanoseconds(text) == 1_580_611_200_000_000_000 + nanoseconds)
    }

    @Test(arguments: [
        "", "2020-02-02", "2020-02-30 02:40:00 UTC", "2020-02-02 25:40:00 UTC", "2020-02-02 02:40:00 MSK",
        "2020-02-02 02:40:00 UTC UTC", "2020-02-02  02:40:00 UTC", "1580611200.000000000", "1.5806112E9 and more text",
    ])
    func refusesOtherTimes(text: String) {
        #expect(BigQueryRow.nanoseconds(text) == nil)
    }

    /// Both versions of the receipt: the message is what `biTag` says, else what the map says of it.
    @Test func takesReceipts() throws {
        let body = """
            {"statuses":[
                {"biTag":"\(Self.uid)","appid":"1","token":"t","status":0,"timestamp":1580611200000,"requestId":"r1"},
                {"biTag":"spring","appid":"1","token":"t","status":0,"timestamp":1580611200001,"requestId":"r2"},
                {"token":"t","pushType":0,"biTag":"\(Self.uid)","requestId":"r3",
                    "deliveryStatus":{"result":0,"timestamp":1580611200000}},
                {"biTag":"\(Self.uid)","status":0,"timestamp":1580611200000},
                {"biTag":"\(Self.uid)","status":2,"timestamp":1580611200000,"requestId":"r4"},
                {"token":"t","biTag":"\(Self.uid)","requestId":"r5","deliveryStatus":{"result":201,"timestamp":1}},
                {"biTag":"summer","status":0,"timestamp":1580611200000,"requestId":"r6"},
                {"status":0,"timestamp":1580611200000,"requestId":"r7"},
                {"biTag":"\(Self.uid)x","status":0,"timestamp":1580611200000,"requestId":"r8"}
            ]}
            """
        #expect(
            HMSReceipt.items(try Self.json(body), try Self.map()) == [
                Self.ack("r1"), Self.ack("r2", at: 1_580_611_200_001_000_000), Self.ack("r3"), Self.ack(""),
                .ignored("status 2"), .ignored("status 201"), .ignored("unknown message"),
                .ignored("unknown message"), .ignored("unknown message"),
            ])
        #expect(HMSReceipt.items(try Self.json("{\"statuses\":[]}"), MessageMap()).isEmpty)
    }

    @Test(arguments: [
        ("[]", "statuses"), ("{}", "statuses"), ("{\"statuses\":{}}", "statuses"), ("{\"statuses\":[1]}", "status"),
        ("{\"statuses\":[{\"biTag\":\"a\"}]}", "status"), ("{\"statuses\":[{\"status\":\"0\"}]}", "status"),
        ("{\"statuses\":[{\"status\":0}]}", "timestamp"),
        ("{\"statuses\":[{\"status\":0,\"timestamp\":-1}]}", "timestamp"),
        ("{\"statuses\":[{\"status\":0,\"timestamp\":18446744073709551615}]}", "timestamp"),
        ("{\"statuses\":[{\"deliveryStatus\":{\"result\":0},\"timestamp\":1}]}", "timestamp"),
    ])
    func refusesBrokenReceipts(body: String, code: String) throws {
        let items = HMSReceipt.items(try Self.json(body), MessageMap())
        guard items.count == 1, case .refused(code, _) = items[0] else {
            Issue.record("not refused as \(code): \(items)")
            return
        }
    }

    /// The line is what `POST /v1/ingest` takes; without a name at the source it has none.
    @Test func writesLines() {
        var event = SourceEvent(kind: .ack, uid: "T1", at: 1_580_611_200_500_000_000, id: "a\"b")
        #expect(
            String(decoding: event.line, as: UTF8.self)
                == "{\"uid\":\"T1\",\"kind\":\"ack\",\"at\":\"2020-02-02T02:40:00.500Z\",\"id\":\"a\\\"b\"}")
        event.id = ""
        #expect(
            String(decoding: event.line, as: UTF8.self)
                == "{\"uid\":\"T1\",\"kind\":\"ack\",\"at\":\"2020-02-02T02:40:00.500Z\"}")
    }
}
