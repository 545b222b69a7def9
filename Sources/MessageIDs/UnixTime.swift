/// UNIX nanoseconds as RFC 3339 text in UTC, without Foundation: 1970-01-01 to 2554-07-21.
public enum UnixTime {
    private static let nanosecondsASecond: UInt64 = 1_000_000_000
    private static let secondsADay: Int64 = 86_400

    /// With exactly the fraction digits needed, 0, 3, 6 or 9, but at least `fractionDigitsMin`, one of these numbers too.
    public static func text(nanoseconds: UInt64, fractionDigitsMin: Int = 0) -> String {
        let seconds = Int64(nanoseconds / Self.nanosecondsASecond)
        let fraction = nanoseconds % Self.nanosecondsASecond
        let date = Self.date(day: seconds / Self.secondsADay)
        let second = seconds % Self.secondsADay
        let needed = fraction == 0 ? 0 : fraction % 1_000_000 == 0 ? 3 : fraction % 1_000 == 0 ? 6 : 9
        let digits = max(needed, fractionDigitsMin)
        var text = ShortBytes()
        Self.append(UInt64(date.year), digits: 4, "-", to: &text)
        Self.append(UInt64(date.month), digits: 2, "-", to: &text)
        Self.append(UInt64(date.day), digits: 2, "T", to: &text)
        Self.append(UInt64(second / 3600), digits: 2, ":", to: &text)
        Self.append(UInt64(second / 60 % 60), digits: 2, ":", to: &text)
        Self.append(UInt64(second % 60), digits: 2, digits == 0 ? "Z" : ".", to: &text)
        switch digits {
        case 0: break
        case ...3: Self.append(fraction / 1_000_000, digits: 3, "Z", to: &text)
        case ...6: Self.append(fraction / 1_000, digits: 6, "Z", to: &text)
        default: Self.append(fraction, digits: 9, "Z", to: &text)
        }
        return text.text
    }

    private static func append(_ value: UInt64, digits: Int, _ end: Unicode.Scalar, to text: inout ShortBytes) {
        var divisor: UInt64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: end))
    }

    /// RFC 3339 (section 5.6) with any offset, 1 to 9 fraction digits; nil when it is not one or is out of range.
    ///
    /// `T` and `Z` are read in either case. A leap second (23:59:60 UTC) reads as the second after it, because UNIX time
    /// has no other name for it.
    public static func nanoseconds(text: String) -> UInt64? {
        var reader = TimeReader()
        return reader.read(text.utf8Span.span)
    }

    /// Days since 1970-01-01 to a civil date: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    private static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Years begin on 1 March here, so the leap day is a year's last; an era is 400 of them, 146097 days.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}
