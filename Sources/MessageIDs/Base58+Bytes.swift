// Byte strings: words of 64 bits and ten digits a step, because 58^10 is the largest power of 58 in a word.
extension Base58 {
    /// 58^10.
    private static let chunk: UInt64 = 430_804_206_899_405_824
    private static let chunkDigits = 10
    /// 58^5.
    private static let halfChunk: UInt64 = 656_356_768
    /// 58^10 shifted until its top bit is set, as the division below wants it.
    private static let divisorShift: UInt64 = 5
    private static let divisor: UInt64 = Self.chunk << Self.divisorShift
    /// floor((2^128 − 1) / divisor) − 2^64: N. Möller, T. Granlund, "Improved division by invariant integers" (2011).
    private static let reciprocal = UInt64(truncatingIfNeeded: UInt128.max / UInt128(Self.divisor))

    /// Appends the text of at most ``bytesMax`` bytes.
    package static func append(_ bytes: Span<UInt8>, to text: inout ShortBytes) {
        precondition(bytes.count <= Self.bytesMax, "longer than any id")
        var zeros = 0
        while zeros < bytes.count && bytes[zeros] == 0 {
            text.append(Self.alphabet[0])
            zeros &+= 1
        }
        var words = InlineArray<11, UInt64>(repeating: 0)
        let wordCount = Self.load(bytes, from: zeros, into: &words)

        // Digits come out lowest first: fill from the back.
        var digits = InlineArray<120, UInt8>(repeating: 0)
        var front = 120
        var top = 0
        let alphabet = Self.alphabet
        while true {
            while top < wordCount && words[top] == 0 { top &+= 1 }
            if top == wordCount { break }
            // Two halves of five digits, so that two short chains of divisions run side by side.
            let (high, low) = Self.divide(&words, top..<wordCount).quotientAndRemainder(dividingBy: Self.halfChunk)
            var upper = UInt32(truncatingIfNeeded: high)
            var lower = UInt32(truncatingIfNeeded: low)
            for _ in 0..<Self.chunkDigits / 2 {
                front &-= 1
                digits[front] = alphabet[Int(lower % 58)]
                digits[front &- Self.chunkDigits / 2] = alphabet[Int(upper % 58)]
                lower /= 58
                upper /= 58
            }
            front &-= Self.chunkDigits / 2
        }
        while front < 120 && digits[front] == alphabet[0] { front &+= 1 }
        text.append(digits.span.extracting(front..<120))
    }

    /// Loads big-endian bytes as words, the highest first; returns how many.
    private static func load(_ bytes: Span<UInt8>, from start: Int, into words: inout InlineArray<11, UInt64>) -> Int {
        let count = bytes.count - start
        let wordCount = (count + 7) / 8
        var index = start
        var left = count
        while left > 0 {
            let place = wordCount - (left + 7) / 8
            words[place] = words[place] << 8 | UInt64(bytes[index])
            index &+= 1
            left &-= 1
        }
        return wordCount
    }

    /// Divides the number in `range` by 58^10 in place and returns the remainder.
    ///
    /// The remainder is carried shifted by ``divisorShift``, so each word enters as its upper part and the next's lower.
    private static func divide(_ words: inout InlineArray<11, UInt64>, _ range: Range<Int>) -> UInt64 {
        let divisor = Self.divisor
        let reciprocal = Self.reciprocal
        var remainder = words[range.lowerBound] >> (64 - Self.divisorShift)
        for index in range {
            let next = index + 1 < range.upperBound ? words[index + 1] : 0
            let low = words[index] << Self.divisorShift | next >> (64 - Self.divisorShift)
            // Möller–Granlund, algorithm 4: one estimate, at most two corrections.
            let product = reciprocal.multipliedFullWidth(by: remainder)
            let (sumLow, carry) = product.low.addingReportingOverflow(low)
            var quotient = product.high &+ remainder &+ (carry ? 1 : 0) &+ 1
            remainder = low &- quotient &* divisor
            if remainder > sumLow {
                quotient &-= 1
                remainder = remainder &+ divisor
            }
            if remainder >= divisor {
                quotient &+= 1
                remainder &-= divisor
            }
            words[index] = quotient
        }
        return remainder >> Self.divisorShift
    }

    /// Appends the bytes that `text` stands for; false when a character is no digit.
    ///
    /// `text` has at most ``digitsMax`` characters.
    package static func appendBytes(of text: Span<UInt8>, to bytes: inout ShortBytes) -> Bool {
        precondition(text.count <= Self.digitsMax, "longer than any id")
        var zeros = 0
        while zeros < text.count && text[zeros] == Self.alphabet[0] {
            bytes.append(0)
            zeros &+= 1
        }
        // Lowest word first. 58^120 < 2^704, so nothing is carried out of the top.
        var words = InlineArray<11, UInt64>(repeating: 0)
        var wordCount = 0
        let values = Self.values
        var index = zeros
        while index < text.count {
            let end = index + ((text.count - index - 1) % Self.chunkDigits + 1)
            var chunk: UInt64 = 0
            var factor: UInt64 = 1
            while index < end {
                let value = values[Int(text[index])]
                if value == 0xff { return false }
                chunk = chunk &* 58 &+ UInt64(value)
                factor = factor &* 58
                index &+= 1
            }
            for place in 0..<wordCount {
                let product = words[place].multipliedFullWidth(by: factor)
                let (low, carry) = product.low.addingReportingOverflow(chunk)
                words[place] = low
                chunk = product.high &+ (carry ? 1 : 0)
            }
            if chunk != 0 {
                words[wordCount] = chunk
                wordCount &+= 1
            }
        }
        var isLeading = true
        for place in (0..<wordCount).reversed() {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                let byte = UInt8(truncatingIfNeeded: words[place] >> shift)
                if isLeading && byte == 0 { continue }
                isLeading = false
                bytes.append(byte)
            }
        }
        return true
    }
}
