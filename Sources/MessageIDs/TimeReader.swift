/// Reads one RFC 3339 time; see ``UnixTime/nanoseconds(text:)``.
struct TimeReader {
    private var offset = 0

    mutating func read(_ text: Span<UInt8>) -> UInt64? {
        guard let year = self.number(text, digits: 4), self.skip(text, "-"),
            let month = self.number(text, digits: 2), self.skip(text, "-"),
            let day = self.number(text, digits: 2), self.skip(text, "T"),
            let hour = self.number(text, digits: 2), self.skip(text, ":"),
            let minute = self.number(text, digits: 2), self.skip(text, ":"),
            let second = self.number(text, digits: 2),
            let fraction = self.fraction(text), let zone = self.zone(text), self.offset == text.count
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let minutes = Self.day(year: year, month: month, day: day) * 1_440 + hour * 60 + minute - zone
        // A leap second is the last of a UTC day.
        if second == 60 && minutes % 1_440 != 1_439 { return nil }
        let nanoseconds = (Int128(minutes) * 60 + Int128(second)) * 1_000_000_000 + Int128(fraction)
        return UInt64(exactly: nanoseconds)
    }

    private mutating func number(_ text: Span<UInt8>, digits: Int) -> Int64? {
        guard self.offset + digits <= text.count else { return nil }
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = Self.digit(text[self.offset]) else { return nil }
            value = value * 10 + digit
            self.offset += 1
        }
        return value
    }

    private mutating func skip(_ text: Span<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard self.offset < text.count else { return false }
        let byte = text[self.offset]
        let expected = UInt8(ascii: character)
        guard byte == expected || (expected == UInt8(ascii: "T") && byte == UInt8(ascii: "t")) else { return false }
        self.offset += 1
        return true
    }

    /// Nanoseconds of `.5`, 0 when there is no point.
    private mutating func fraction(_ text: Span<UInt8>) -> Int64? {
        guard self.offset < text.count, text[self.offset] == UInt8(ascii: ".") else { return 0 }
        self.offset += 1
        var value: Int64 = 0
        var digits = 0
        while self.offset < text.count, let digit = Self.digit(text[self.offset]) {
            guard digits < 9 else { return nil }
            value = value * 10 + digit
            digits += 1
            self.offset += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<9 { value *= 10 }
        return value
    }

    /// Minutes east of UTC.
    private mutating func zone(_ text: Span<UInt8>) -> Int64? {
        guard self.offset < text.count else { return nil }
        let sign = text[self.offset]
        self.offset += 1
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = self.number(text, digits: 2), self.skip(text, ":"),
            let minutes = self.number(text, digits: 2), hours < 24, minutes < 60
        else { return nil }
        let zone = hours * 60 + minutes
        return sign == UInt8(ascii: "-") ? -zone : zone
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int64(byte - UInt8(ascii: "0")) : nil
    }

    private static func days(inMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01, negative before it: the inverse of the algorithm in ``UnixTime``.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        // Years from 1 March; +400 and −1 era keep the division positive for year 0.
        let shiftedYear = (month <= 2 ? year - 1 : year) + 400
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era - 1) * 146_097 + dayOfEra - 719_468
    }
}
