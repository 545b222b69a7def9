import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

/// `POST /v1/ingest`: what a sender's lines become, in order and in place.
@Suite(.blocking)
struct DialectIngestTests {
    /// Every id that names a message, both kinds, with and without what may be left out.
    @Test func storesWhatLinesSay() async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message()
        let at = Log.systemTime() / 1_000_000_000 * 1_000_000_000 - 3_600_000_000_000
        let uid = message.text()
        let body =
            EventSource.line(uid, "ack", ",\"at\":\"\(UnixTime.text(nanoseconds: at))\",\"id\":\"0:1%a\"")
            + EventSource.line(
                message.text(.emailSafe), "open", ",\"address\":\"2001:db8::1\",\"user_agent\":\"okhttp/4.12.0\"")
            + EventSource.line(
                uid, "open", ",\"id\":\"bot\",\"user_agent\":\"Googlebot/2.1\",\"address\":null,\"at\":null")
        let reply = try await source.send(body)
        #expect(reply.status == 200)
        #expect(reply.header("content-type") == "application/x-ndjson")
        #expect(reply.text == String(repeating: "{\"accepted\":true}\n", count: 3))
        let stored = try #require(try await source.stored(message))
        #expect(stored.message == message)
        #expect(stored.events.map(\.kind) == [.ack, .open, .open])
        #expect(stored.events.map(\.dialect) == [.ingest, .ingest, .ingest])
        #expect(stored.events.map(\.eventClass) == [.human, .human, .bot])
        #expect(stored.events.map(\.address) == [nil, "2001:db8::1", nil])
        #expect(stored.events.map(\.userAgent) == [nil, "okhttp/4.12.0", "Googlebot/2.1"])
        #expect(stored.events.map(\.deviceAt) == [Int64(at / 1_000), nil, nil])
        #expect(stored.events.allSatisfy { $0.flags.isEmpty })
    }

    /// The Unique id and the message key name a message that the hub knows; a delivery id is such a key.
    @Test func findsKnownMessagesByTheirKey() async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message()
        let key = message.messageKey
        let unique = UniqueID(account: source.account, key: key).text
        #expect(try await source.send(EventSource.line(message.text())).status == 200)
        #expect(try await source.stored(message)?.events.count == 1)
        let reply = try await source.send(
            EventSource.line(unique, "open", ",\"id\":\"a\"")
                + EventSource.line(key.text.uppercased(), "open", ",\"id\":\"b\""))
        #expect(EventSource.shape(try reply.lines) == ["accepted", "accepted"])
        let stored = try #require(try await source.stored(message))
        #expect(stored.events.map(\.kind) == [.ack, .open, .open])
    }

    /// A message's privacy holds for what a sender says of its client too.
    @Test(
        arguments: [
            (Privacy.maskAddress, "203.0.113.0", "a/1"), (.dropAddress, nil, nil), (.anonymous, nil, nil),
        ] as [(Privacy, String?, String?)])
    func keepsWhatPrivacyAllows(privacy: Privacy, address: String?, userAgent: String?) async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message(privacy: privacy)
        let more = ",\"address\":\"203.0.113.77\",\"user_agent\":\"a/1\""
        #expect(try await source.send(EventSource.line(message.text(), "open", more)).status == 200)
        let event = try #require(try await source.stored(message)?.events.first)
        #expect(event.address == address)
        #expect(event.userAgent == userAgent)
    }

    /// What lies in the future or more than 30 days back is dated by its receipt, and says so.
    @Test(arguments: ["2001-01-01T00:00:00Z", "2200-01-01T00:00:00Z"])
    func datesOldEventsByReceipt(at: String) async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message()
        #expect(try await source.send(EventSource.line(message.text(), "ack", ",\"at\":\"\(at)\"")).status == 200)
        let event = try #require(try await source.stored(message)?.events.first)
        #expect(event.deviceAt == event.receivedAt)
        #expect(event.flags.contains(.deviceTimeClamped))
    }

    /// Each bad line is answered in its place and stores nothing; its neighbours are stored.
    @Test func answersBadLinesInPlace() async throws {
        let source = try await EventSource(APITestHub.shared())
        let messages = (0..<30).map { _ in source.message() }
        let foreign = Gateway.message(APITestHub.newAccount())
        let uid = source.message().text()
        let damaged = String(uid.dropLast()) + (uid.hasSuffix("1") ? "2" : "1")
        let bad: [(line: String, answer: String)] = [
            ("not json\n", "malformed_json"),
            ("[]\n", "invalid_fields  type"),
            ("{}\n", "invalid_fields /uid required /kind required"),
            (EventSource.line(foreign.text()), "wrong_account"),
            (EventSource.line(UniqueID(account: foreign.account, key: foreign.messageKey).text), "wrong_account"),
            (EventSource.line(damaged), "invalid_fields /uid invalid"),
            (EventSource.line(""), "invalid_fields /uid invalid"),
            (EventSource.line(String(repeating: "T", count: 10_000)), "invalid_fields /uid invalid"),
            (EventSource.line("e|\(messages[0].launch.text)|\(uid)|x"), "invalid_fields /uid invalid"),
            (EventSource.line("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"), "invalid_fields /uid invalid"),
            (EventSource.line(uid, "click"), "invalid_fields /kind unknown_value"),
            (EventSource.line(uid, "Ack"), "invalid_fields /kind unknown_value"),
            ("{\"uid\":1,\"kind\":[]}\n", "invalid_fields /uid type /kind type"),
            ("{\"uid\":null,\"kind\":null}\n", "invalid_fields /uid required /kind required"),
            (EventSource.line(uid, "ack", ",\"typo\":null"), "invalid_fields /typo unknown_field"),
            (EventSource.line(uid, "ack", ",\"provider\":\"ios-apns\""), "invalid_fields /provider unknown_field"),
            (EventSource.line(uid, "ack", ",\"at\":1700000000"), "invalid_fields /at type"),
            (EventSource.line(uid, "ack", ",\"at\":\"2026-02-30T00:00:00Z\""), "invalid_fields /at invalid"),
            (EventSource.line(uid, "ack", ",\"id\":\"\""), "invalid_fields /id empty"),
            (
                EventSource.line(uid, "ack", ",\"id\":\"\(String(repeating: "ü", count: 128))\""),
                "invalid_fields /id too_long"
            ),
            (EventSource.line(uid, "ack", ",\"id\":7"), "invalid_fields /id type"),
            (EventSource.line(uid, "ack", ",\"address\":\"1.2.3.4:80\""), "invalid_fields /address invalid"),
            (EventSource.line(uid, "ack", ",\"address\":\"\""), "invalid_fields /address invalid"),
            (
                EventSource.line(uid, "ack", ",\"user_agent\":\"\(String(repeating: "x", count: 4_097))\""),
                "invalid_fields /user_agent too_long"
            ),
            (EventSource.line(uid, "ack", ",\"kind\":\"open\""), "malformed_json"),
            (EventSource.line(uid, "ack", ",\"at\":\(String(repeating: "[", count: 100))"), "malformed_json"),
            ("{\"uid\":\"\u{0}\"}\n", "malformed_json"),
            (EventSource.line(uid, "ack", ",\"id\":\"\(String(repeating: "x", count: 70_000))\""), "line_too_long"),
        ]
        let body = bad.indices.map { EventSource.line(messages[$0].text()) + bad[$0].line }.joined()
        let lines = try await source.send(body).lines
        let expected = bad.enumerated().flatMap { ["accepted", "\($0.offset * 2 + 2) \($0.element.answer)"] }
        #expect(EventSource.shape(lines) == expected)
        for message in messages.prefix(bad.count) {
            #expect(try await source.stored(message)?.events.map(\.kind) == [.ack])
        }
        for message in [foreign, try SendMessageID(text: uid)] { #expect(try await source.stored(message) == nil) }
    }

    /// Invalid UTF-8 spoils its own line only, and a line's NUL and half surrogates reach no database.
    @Test func staysWholeOverHostileBytes() async throws {
        let source = try await EventSource(APITestHub.shared())
        let (first, last) = (source.message(), source.message())
        let agent = ",\"user_agent\":\"a\\u0000b\""
        let body =
            Array(EventSource.line(first.text(), "open", agent).utf8)
            + [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D, 0x0A]
            + Array("{\"uid\":\"\\ud800\",\"kind\":\"ack\"}\n".utf8) + Array(EventSource.line(last.text()).utf8)
        let connection = try source.hub.connect()
        try await connection.send(Array(source.head("Content-Length: \(body.count)").utf8) + body)
        var reader = APITestReader(connection)
        let lines = try await reader.reply().lines
        #expect(EventSource.shape(lines) == ["accepted", "2 malformed_json", "3 malformed_json", "accepted"])
        #expect(try await source.stored(first)?.events.first?.userAgent == "a\u{FFFD}b")
        #expect(try await source.stored(last)?.events.count == 1)
    }

    /// What is sent again adds nothing: word for word, by another id of the message, with more said about it.
    @Test func countsARepeatOnce() async throws {
        let source = try await EventSource(APITestHub.shared())
        let message = source.message()
        let at = ",\"at\":\"\(UnixTime.text(nanoseconds: Log.systemTime()))\""
        let first = ["", at, ",\"id\":\"a\""].map { EventSource.line(message.text(), "open", $0) }.joined()
        let again =
            EventSource.line(message.text(.emailSafe), "open", at + ",\"user_agent\":\"a/1\"")
            + EventSource.line(message.messageKey.text, "open", ",\"id\":\"a\"")
            + EventSource.line(UniqueID(account: source.account, key: message.messageKey).text, "open")
        for body in [first, first, again] {
            // A key names what is known: the first lines are loaded by then.
            try await source.hub.settle()
            #expect(EventSource.shape(try await source.send(body).lines) == ["accepted", "accepted", "accepted"])
        }
        #expect(try await source.stored(message)?.events.count == 3)
    }

    /// The same line is the same event, however its message is named; another id, time, kind or message is another one.
    @Test func namesEvents() throws {
        let message = Gateway.message(7)
        func name(_ more: String, kind: String = "ack", of other: SendMessageID? = nil, by text: String? = nil)
            -> UInt128?
        {
            let line = EventSource.line(text ?? (other ?? message).text(), kind, more)
            var faults = FieldFaults()
            let members = (try? JSONValue(parsing: Array(line.utf8).span.bytes))?.members ?? []
            return IngestFields(members, account: 7, &faults)?.event.report
        }
        let at = ",\"at\":\"2026-01-01T00:00:00Z\""
        let id = ",\"id\":\"1767225600000000000\""
        for more in ["", at, id, at + id] {
            let given = try #require(name(more))
            for text in [
                message.text(.emailSafe), message.messageKey.text, UniqueID(account: 7, key: message.messageKey).text,
            ] {
                #expect(name(more, by: text) == given)
            }
        }
        #expect(name(at) == name(",\"at\":\"2026-01-01T03:00:00.000+03:00\",\"user_agent\":\"x\""))
        #expect(name(at + id) == name(id))
        let names = [
            name(""), name(at), name(id), name("", kind: "open"), name(at, kind: "open"),
            name("", of: Gateway.message(7)), name(",\"at\":\"2026-01-01T00:00:00.000000001Z\""), name(",\"id\":\"2\""),
        ]
        #expect(Set(names).count == names.count && !names.contains(nil))
    }
}
