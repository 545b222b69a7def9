/// A device's own time of an event, made sane: device clocks are wrong by years, and reports come days late.
struct DeviceTime: Sendable, Equatable {
    /// Older ones are replaced (Carillon's contract; the other dialects follow it).
    static let ageMaxNanoseconds: UInt64 = 30 * 86_400_000_000_000

    /// UNIX nanoseconds.
    let nanoseconds: UInt64
    /// It lay in the future or too far back, and is the time of receipt now.
    let isClamped: Bool

    init(_ claimed: UInt64, receivedAt: UInt64) {
        self.isClamped = claimed > receivedAt || receivedAt - claimed > Self.ageMaxNanoseconds
        self.nanoseconds = self.isClamped ? receivedAt : claimed
    }
}
