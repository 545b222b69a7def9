/// The identity by which every dialect's events meet: a UUID version 8 (RFC 9562 section 5.8) that sorts by send time.
///
/// 48 bits of send time in milliseconds, then 74 bits of SHA-256 over the id's body, around the version and variant.
public struct MessageKey: Hashable, Comparable, Sendable {
    public var value: UInt128

    public init(_ value: UInt128) { self.value = value }

    /// Reads UUID text in any case; nil when it is not one, or not of version 8 and the RFC's variant.
    public init?(text: String) {
        guard let value = UUIDText.value(text.utf8Span.span), MessageKey(value).isVersion8 else { return nil }
        self.init(value)
    }

    init(sentAt: UInt64, body: Span<UInt8>) {
        let hash = SHA256.first128Bits(body) >> 54
        let milliseconds = UInt128(sentAt / 1_000_000)
        self.value = milliseconds << 80 | 8 << 76 | (hash >> 62) << 64 | 2 << 62 | hash & (1 << 62 - 1)
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    /// UUID text, lower case.
    public var text: String { UUIDText.text(self.value) }

    /// The send time in UNIX milliseconds, modulo 2^48.
    public var sentAtMilliseconds: UInt64 { UInt64(truncatingIfNeeded: self.value >> 80) }

    var isVersion8: Bool { self.value >> 76 & 15 == 8 && self.value >> 62 & 3 == 2 }
}
