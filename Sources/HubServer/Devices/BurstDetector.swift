import MessageIDs

/// Finds scanners that pass for browsers: five different links opened within a second by one browser at one address (T15).
///
/// An address alone says nothing, since thousands of phones share a carrier's; so only user agents that call themselves a
/// browser are looked at, and one address with two of them is two. From the fifth link on a hit is suspect; the four before are
/// answered already. Memory is bounded: a table of so many places, in which a newcomer takes another's.
///
/// Owned by one loop.
struct BurstDetector {
    static let placesMax = 1_024
    static let links = 5
    static let windowNanoseconds: UInt64 = 1_000_000_000

    private struct Place {
        var key: UInt64 = 0
        var links: InlineArray<5, UInt64> = .init(repeating: 0)
        /// When each link was last seen; 0 is never.
        var times: InlineArray<5, UInt64> = .init(repeating: 0)
    }
    private var places: [Place]
    /// Keeps the hashes from being steered from outside.
    private let seed: UInt64

    init(seed: UInt64 = .random(in: .min ... .max)) {
        self.places = Array(repeating: Place(), count: Self.placesMax)
        self.seed = seed
    }

    /// Whether this open is at least the fifth different link in the last second.
    mutating func isBurst(
        address: IPAddress, userAgent: Range<Int>, _ bytes: RawSpan, message: borrowing SendMessageID, now: UInt64
    ) -> Bool {
        guard bytes.hasLowercasedPrefix(userAgent, "mozilla/") else { return false }
        var hash = self.seed
        Self.mix(&hash, UInt64(truncatingIfNeeded: address.value))
        Self.mix(&hash, UInt64(truncatingIfNeeded: address.value >> 64))
        for index in userAgent.prefix(UserAgentTable.bytesMax) {
            hash = (hash ^ UInt64(bytes.byte(index))) &* 0x100_0000_01B3
        }
        Self.mix(&hash, UInt64(userAgent.count))
        return self.isFull(key: hash, link: self.link(message), now: now)
    }

    private func link(_ message: borrowing SendMessageID) -> UInt64 {
        var hash = self.seed
        Self.mix(&hash, message.sentAt)
        Self.mix(&hash, UInt64(truncatingIfNeeded: message.profile.value))
        Self.mix(&hash, UInt64(truncatingIfNeeded: message.profile.value >> 64))
        Self.mix(&hash, UInt64(bitPattern: message.subscription))
        Self.mix(&hash, UInt64(bitPattern: message.campaign))
        Self.mix(&hash, UInt64(bitPattern: message.account))
        Self.mix(&hash, UInt64(bitPattern: message.resource))
        return hash
    }

    private mutating func isFull(key: UInt64, link: UInt64, now: UInt64) -> Bool {
        let index = Int(key % UInt64(Self.placesMax))
        if self.places[index].key != key { self.places[index] = Place(key: key) }
        var oldest = 0
        var place = 0
        while place < Self.links {
            if self.places[index].links[place] == link, self.places[index].times[place] != 0 { break }
            if self.places[index].times[place] < self.places[index].times[oldest] { oldest = place }
            place += 1
        }
        if place == Self.links { place = oldest }
        self.places[index].links[place] = link
        self.places[index].times[place] = now
        for other in 0..<Self.links {
            let time = self.places[index].times[other]
            if time == 0 || (now > time && now - time > Self.windowNanoseconds) { return false }
        }
        return true
    }

    /// splitmix64's finisher over the sum.
    @inline(__always)
    private static func mix(_ hash: inout UInt64, _ value: UInt64) {
        hash = hash ^ value &+ 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
    }
}
