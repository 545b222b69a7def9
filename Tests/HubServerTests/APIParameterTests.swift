import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct APIParameterTests {
    /// Percent-encoding is decoded, `+` is itself, broken escapes and bytes that are no UTF-8 are refused.
    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("%41%2f", "A/"), ("%2B+", "++"), ("%C3%b6", "ö"), ("100%", nil), ("%4", nil),
            ("%4g", nil),
            ("%ff", nil), ("%ED%A0%80", nil), ("%00", "\0"),
        ] as [(String, String?)])
    func decodesPercentEncoding(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text.utf8) == decoded)
    }

    /// Unknown, repeated and broken parameters are all named at once.
    @Test func namesEveryBadParameter() {
        let query = QueryParameters("a=1&b=%zz&c=3&a=2&&d%41=&b=2&%=", known: ["a", "b"])
        let faults = query.faults.listed.map { "\($0.place) \($0.code.rawValue)" }
        #expect(
            faults == [
                "parameter(\"b\") invalid", "parameter(\"c\") unknown_parameter", "parameter(\"a\") repeated",
                "parameter(\"dA\") unknown_parameter", "parameter(\"\") invalid",
            ])
        #expect(throws: Problem.self) { try query.check() }
    }

    /// A value may hold what a link holds: `=`, `?` and `/`.
    @Test func splitsAtTheFirstEqualsSign() {
        var query = QueryParameters("id=/api/v1.1/pushes/crypto_post_events?/00=ff", known: ["id"])
        let value = query.value("id") { (text) throws(FieldReason) in text }
        #expect(value == "/api/v1.1/pushes/crypto_post_events?/00=ff")
        #expect(query.faults.isEmpty)
    }

    /// A date is the first instant of its day in the zone: on days of 23 and 25 hours, and where midnight does not exist.
    @Test(
        arguments: [
            ("2026-03-29", nil, "2026-03-29T00:00:00Z"),
            ("2026-03-29", "UTC", "2026-03-29T00:00:00Z"),
            ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"),
            ("2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00Z"),
            ("2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z"),
            ("2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00Z"),
            ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
            ("2018-11-05", "America/Sao_Paulo", "2018-11-05T02:00:00Z"),
            ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00Z"),
            ("2026-01-01", "Asia/Kathmandu", "2025-12-31T18:15:00Z"),
            ("2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z"),
            ("2024-10-27", "Asia/Beirut", "2024-10-26T22:00:00Z"),
            ("2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00Z"),
            ("2024-03-31", "Asia/Beirut", "2024-03-30T22:00:00Z"),
            ("2026-03-29T01:02:03.000000004+02:00", "Europe/Berlin", "2026-03-28T23:02:03.000000004Z"),
        ] as [(String, String?, String)])
    func readsDatesInTheirZone(from: String, zone: String?, expected: String) {
        var query = QueryParameters("from=\(from)" + (zone.map { "&tz=\($0)" } ?? ""), known: ReportPeriod.parameters)
        let period = ReportPeriod(&query)
        #expect(period.from.map { UnixTime.text(nanoseconds: $0) } == expected)
        #expect(query.faults.isEmpty)
    }

    /// Every bad end and zone is named.
    @Test(arguments: [
        ("from=yesterday", "from"), ("from=2026-02-30", "from"), ("to=2026-1-1", "to"), ("to=1969-12-31", "to"),
        ("from=1970-01-01&tz=Asia/Tokyo", "from"), ("tz=Mars/Olympus", "tz"), ("tz=GMT+3", "tz"), ("tz=", "tz"),
        ("tz=../../etc/passwd", "tz"), ("from=2026-01-02&to=2026-01-01", "to"), ("from=2026-01-01T00:00:00", "from"),
    ])
    func refusesBadPeriods(query: String, parameter: String) {
        var query = QueryParameters(query, known: ReportPeriod.parameters)
        _ = ReportPeriod(&query)
        #expect(query.faults.listed.map(\.place) == [.parameter(parameter)])
    }

    /// A cursor comes back as it went out, and another query's, a cut or an altered one is refused.
    @Test func bindsCursorsToTheirQuery() throws {
        let cursor = PageCursor(query: ["campaigns", "7", "sent"])
        for length in 0..<40 {
            let position = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let text = cursor.text(position)
            #expect(try cursor.position(text) == position)
            #expect(throws: FieldReason.self) { try PageCursor(query: ["campaigns", "8", "sent"]).position(text) }
            #expect(throws: FieldReason.self) { try cursor.position(String(text.dropFirst())) }
            #expect(throws: FieldReason.self) { try cursor.position(text + "=") }
        }
        for bad in ["", "A", "A A", "ä", "AAAA", "+/+/"] {
            #expect(throws: FieldReason.self, "\(bad)") { try cursor.position(bad) }
        }
    }

    /// Base64url agrees with RFC 4648 section 10's vectors and refuses bits that no encoder writes.
    @Test func readsAndWritesBase64URL() {
        let vectors = [
            "": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE", "foobar": "Zm9vYmFy",
        ]
        for (text, encoded) in vectors {
            #expect(Base64URL.encode(Array(text.utf8)) == encoded)
            #expect(Base64URL.decode(encoded) == Array(text.utf8))
        }
        #expect(Base64URL.decode("Zh") == nil)
        #expect(Base64URL.decode("Z") == nil)
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    }
}
