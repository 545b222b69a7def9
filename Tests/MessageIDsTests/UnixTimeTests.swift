import Foundation
import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct UnixTimeTests {
    /// Written with exactly the digits needed, and read back.
    @Test(arguments: [
        (UInt64(0), "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000000001Z"),
        (1_000, "1970-01-01T00:00:00.000001Z"), (1_000_000, "1970-01-01T00:00:00.001Z"),
        (999_999_999, "1970-01-01T00:00:00.999999999Z"), (1_000_000_000, "1970-01-01T00:00:01Z"),
        (1_601_987_755_942_397_338, "2020-10-06T12:35:55.942397338Z"),
        (951_782_400_000_000_000, "2000-02-29T00:00:00Z"), (951_868_800_000_000_000, "2000-03-01T00:00:00Z"),
        (1_709_164_800_500_000_000, "2024-02-29T00:00:00.500Z"), (4_107_542_399_000_000_000, "2100-02-28T23:59:59Z"),
        (4_107_542_400_000_000_000, "2100-03-01T00:00:00Z"), (UInt64.max, "2554-07-21T23:34:33.709551615Z"),
    ])
    func writesAndReads(_ nanoseconds: UInt64, _ text: String) {
        #expect(UnixTime.text(nanoseconds: nanoseconds) == text)
        #expect(UnixTime.nanoseconds(text: text) == nanoseconds)
    }

    /// Other spellings of RFC 3339.
    @Test(arguments: [
        ("2020-10-06t12:35:55z", UInt64(1_601_987_755_000_000_000)),
        ("2020-10-06T15:35:55+03:00", 1_601_987_755_000_000_000),
        ("2020-10-06T07:05:55-05:30", 1_601_987_755_000_000_000),
        ("2020-10-06T12:35:55-00:00", 1_601_987_755_000_000_000),
        ("2020-10-06T12:35:55.9Z", 1_601_987_755_900_000_000), ("1970-01-01T01:00:00+01:00", 0),
        ("1969-12-31T23:00:00-01:00", 0), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
        ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000_000),
        ("2016-12-31T23:59:60.5Z", 1_483_228_800_500_000_000),
    ])
    func readsOtherSpellings(_ text: String, _ nanoseconds: UInt64) {
        #expect(UnixTime.nanoseconds(text: text) == nanoseconds)
    }

    /// Nothing else is a time.
    @Test(arguments: [
        "", "2020", "2020-10-06", "2020-10-06T12:35", "2020-10-06T12:35:55", "2020-10-06 12:35:55Z",
        "2020-10-06T12:35:55Z ", " 2020-10-06T12:35:55Z", "2020-10-06T12:35:55ZZ", "2020-00-06T12:35:55Z",
        "2020-13-06T12:35:55Z", "2020-10-00T12:35:55Z", "2020-10-32T12:35:55Z", "2020-09-31T12:35:55Z",
        "2021-02-29T12:35:55Z", "2100-02-29T12:35:55Z", "2020-10-06T24:00:00Z", "2020-10-06T12:60:00Z",
        "2020-10-06T12:35:60Z", "2020-10-06T12:35:61Z", "2020-10-06T12:35:55.Z", "2020-10-06T12:35:55.1234567890Z",
        "2020-10-06T12:35:55+24:00", "2020-10-06T12:35:55+03:60", "2020-10-06T12:35:55+0300",
        "2020-10-06T12:35:55+03", "2020-10-06T12:35:55+", "20-10-06T12:35:55Z", "02020-10-06T12:35:55Z",
        "+020-10-06T12:35:55Z", "2020-1-006T12:35:55Z", "1969-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
        "1970-01-01T00:00:00+00:01", "2554-07-21T23:34:33.709551616Z", "9999-12-31T23:59:59Z", "２020-10-06T12:35:55Z",
        "2020-10-06T12:35:55,5Z",
    ])
    func refusesOtherTexts(_ text: String) { #expect(UnixTime.nanoseconds(text: text) == nil) }

    /// Every day of the whole range agrees with Foundation's calendar.
    @Test func everyDayAgreesWithFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: UInt64(0), through: UInt64.max / 86_400_000_000_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let year = try #require(parts.year), month = try #require(parts.month), number = try #require(parts.day)
            let expected = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, number)
            #expect(UnixTime.text(nanoseconds: day * 86_400_000_000_000) == expected)
        }
    }

    /// Consecutive days are consecutive dates: the two algorithms are inverse to each other on every day.
    @Test func everyDayReadsBack() {
        for day in 0...UInt64.max / 86_400_000_000_000 {
            let nanoseconds = day * 86_400_000_000_000
            if UnixTime.nanoseconds(text: UnixTime.text(nanoseconds: nanoseconds)) != nanoseconds {
                Issue.record("day \(day)")
            }
        }
    }

    /// Random instants of the whole range read back.
    @Test func roundTripsRandomValues() {
        var random = SeededRandom(seed: 16)
        for _ in 0..<2000 {
            let nanoseconds = random.number()
            #expect(UnixTime.nanoseconds(text: UnixTime.text(nanoseconds: nanoseconds)) == nanoseconds)
        }
    }
}
