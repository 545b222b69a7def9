/// Whether an Accept field asks for an image, as a browser's `<img>` does (RFC 9110 section 12.5.1).
enum ImagePreference {
    /// True when some image type is wanted more than every other named type, and no less than `*/*`. So
    /// `image/avif,image/webp,*/*;q=0.8` is one, `*/*` is none, and neither is a page's
    /// `text/html,…,image/avif,*/*;q=0.8`.
    static func isWanted(_ bytes: RawSpan, _ value: Range<Int>) -> Bool {
        var image = 0
        var anything = 0
        var other = 0
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, bytes.byte(end) != UInt8(ascii: ",") { end += 1 }
            let range = bytes.trimmed(start..<end)
            start = end + 1
            if range.isEmpty { continue }
            let weight = Self.weight(bytes, range)
            if bytes.hasLowercasedPrefix(range, "image/") {
                image = max(image, weight)
            } else if bytes.hasLowercasedPrefix(range, "*/*") {
                anything = max(anything, weight)
            } else {
                other = max(other, weight)
            }
        }
        return image > other && image >= anything
    }

    /// The media range's `q` in thousandths; 1000 when there is none or it can't be read.
    private static func weight(_ bytes: RawSpan, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes.byte(index) == UInt8(ascii: ";") else {
                index += 1
                continue
            }
            let parameter = bytes.trimmed((index + 1)..<range.upperBound)
            index += 1
            guard bytes.hasLowercasedPrefix(parameter, "q=") else { continue }
            return Self.thousandths(bytes, (parameter.lowerBound + 2)..<parameter.upperBound) ?? 1_000
        }
        return 1_000
    }

    private static func thousandths(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        let first = bytes.byte(range.lowerBound)
        guard first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else { return nil }
        var result = first == UInt8(ascii: "1") ? 1_000 : 0
        var place = 100
        for index in range.dropFirst(2) {
            let byte = bytes.byte(index)
            guard (48...57).contains(byte) else { break }
            result += Int(byte - 48) * place
            place /= 10
        }
        return min(result, 1_000)
    }
}
