/// IMF-fixdate (RFC 9110 5.6.7), `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes.
enum HTTPDate {
    static let byteCount = 29

    /// Writes the date of `seconds` since 1970 (0 … year 9999).
    static func write(seconds: Int, to bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count == self.byteCount && seconds >= 0 && seconds < 253_402_300_800)
        let days = seconds / 86_400
        let second = seconds % 86_400
        let (year, month, day) = self.civil(days: days)
        var text: [UInt8] = []
        text.reserveCapacity(self.byteCount)
        text += self.name(self.dayNames, (days + 4) % 7)
        text += ", ".utf8
        self.append(day, 2, &text)
        text.append(0x20)
        text += self.name(self.monthNames, month - 1)
        text.append(0x20)
        self.append(year, 4, &text)
        text.append(0x20)
        self.append(second / 3_600, 2, &text)
        text.append(0x3a)
        self.append(second / 60 % 60, 2, &text)
        text.append(0x3a)
        self.append(second % 60, 2, &text)
        text += " GMT".utf8
        bytes.copyBytes(from: text)
    }

    private static let dayNames = Array("SunMonTueWedThuFriSat".utf8)
    private static let monthNames = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

    private static func name(_ names: [UInt8], _ index: Int) -> ArraySlice<UInt8> { names[index * 3..<index * 3 + 3] }

    private static func append(_ number: Int, _ digits: Int, _ text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// The Gregorian date of a day counted from 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
