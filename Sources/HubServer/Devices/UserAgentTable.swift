import EventStore

/// Tells image proxies and bots by their user agents, without allocation or regard to case.
///
/// The table is small on purpose. HTTP libraries (okhttp, CFNetwork, Dalvik, curl, python…) are not in it: an app calls its
/// links with whatever its stack sends, and such a hit is as good as any.
struct UserAgentTable {
    /// Mail services that fetch a picture when a person looks at the message: they count as opens.
    private static let proxies: [StaticString] = [
        "googleimageproxy",  // Gmail: "… (via ggpht.com GoogleImageProxy)"
        "yahoomailproxy",  // Yahoo Mail
        "duckduckgo-image-proxy",
    ]
    /// Crawlers, link checkers and preview makers. What ends in "bot" is found by rule, see `isBotWord`.
    private static let bots: [StaticString] = [
        "applenewsbot", "barracuda", "bingpreview", "crawler", "facebookexternalhit", "google-safety", "googleother",
        "headlesschrome", "mimecast", "phantomjs", "proofpoint", "safelinks", "scrapy", "skypeuripreview", "slurp",
        "spider", "whatsapp/", "zgrab",
    ]

    private struct Needle {
        var text: StaticString
        var eventClass: EventClass
    }
    /// Sorted by first letter.
    private let needles: [Needle]
    /// For a byte: the first needle that begins with it, or 255.
    private let firsts: [UInt8]
    /// One bit for each three letters that a needle, or "bot", begins with; a letter is the low five bits of its byte, which
    /// no case changes. Nearly every text is passed over by it alone.
    private let trios: [UInt64]

    /// Longer texts are looked at up to here; as much is stored.
    static let bytesMax = 512

    init() {
        let all =
            Self.proxies.map { Needle(text: $0, eventClass: .proxy) }
            + Self.bots.map { Needle(text: $0, eventClass: .bot) }
        self.needles = all.sorted { $0.text.utf8Start.pointee < $1.text.utf8Start.pointee }
        var firsts = [UInt8](repeating: 255, count: 256)
        for (index, needle) in self.needles.enumerated().reversed() {
            firsts[Int(needle.text.utf8Start.pointee)] = UInt8(index)
        }
        self.firsts = firsts
        var trios = [UInt64](repeating: 0, count: 512)
        for text in all.map(\.text) + ["bot"] {
            var trio: UInt32 = 0
            for index in 0..<3 { trio = Self.trio(trio, text.utf8Start[index]) }
            trios[Int(trio >> 6)] |= 1 << UInt64(trio & 63)
        }
        self.trios = trios
    }

    /// The last two letters and this one.
    @inline(__always)
    private static func trio(_ before: UInt32, _ byte: UInt8) -> UInt32 { (before << 5 | UInt32(byte & 31)) & 0x7fff }

    /// `proxy`, `bot`, or nil for everybody else.
    func find(_ bytes: RawSpan, _ range: Range<Int>) -> EventClass? {
        // Apple's Mail Privacy Protection fetches with exactly this.
        if bytes.equalsLowercased(range, "mozilla/5.0") { return .proxy }
        let range = range.prefix(Self.bytesMax)
        var start = range.lowerBound
        while let index = self.nextTrio(bytes, start..<range.upperBound) {
            if let found = self.find(bytes, range, at: index) { return found }
            start = index + 1
        }
        return nil
    }

    /// Where the next three letters of the table begin.
    private func nextTrio(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
        bytes.extracting(range).withUnsafeBytes { text in
            self.trios.withUnsafeBufferPointer { trios in
                // No needle has a byte whose letter is 0, so the first two bytes complete no trio.
                var trio: UInt32 = 0
                for index in 0..<text.count {
                    trio = Self.trio(trio, text[index])
                    if trios[Int(trio >> 6)] &>> UInt64(trio & 63) & 1 == 1 { return range.lowerBound + index - 2 }
                }
                return nil
            }
        }
    }

    /// What begins at `index`.
    private func find(_ bytes: RawSpan, _ range: Range<Int>, at index: Int) -> EventClass? {
        let first = bytes.lowercased(index)
        if first == UInt8(ascii: "b"), Self.isBotWord(bytes, range, at: index) { return .bot }
        var candidate = Int(self.firsts[Int(first)])
        while candidate < self.needles.count, self.needles[candidate].text.utf8Start.pointee == first {
            if bytes.hasLowercasedPrefix(index..<range.upperBound, self.needles[candidate].text) {
                return self.needles[candidate].eventClass
            }
            candidate += 1
        }
        return nil
    }

    /// `Googlebot/2.1`, `AhrefsBot`, `Slackbot-LinkExpanding`: "bot" at the end of a word. Not `Cubot`, which makes phones.
    private static func isBotWord(_ bytes: RawSpan, _ range: Range<Int>, at index: Int) -> Bool {
        guard bytes.hasLowercasedPrefix(index..<range.upperBound, "bot") else { return false }
        if index + 3 < range.upperBound, bytes.lowercased(index + 3) &- 97 < 26 { return false }
        let isPhone =
            index - range.lowerBound >= 2 && bytes.hasLowercasedPrefix((index - 2)..<range.upperBound, "cubot")
        return !isPhone
    }
}
