/// First opens by UTC hour in the 48 hours that begin with the one of sending.
package struct HourlyOpens: Sendable, Equatable {
    package static let hoursMax = 48
    static let hourMicroseconds: Int64 = 3_600_000_000

    /// Begin of the first hour, UNIX microseconds.
    let beginsAt: Int64
    private var counts = [Int64](repeating: 0, count: Self.hoursMax)

    init(sentAt: StoreTime) {
        self.beginsAt = sentAt.microseconds - sentAt.microseconds % Self.hourMicroseconds
    }

    var endsAt: Int64 { self.beginsAt + Int64(Self.hoursMax) * Self.hourMicroseconds }

    /// What lies outside is left out.
    mutating func add(_ opened: Int64, at microseconds: Int64) {
        guard microseconds >= self.beginsAt, microseconds < self.endsAt else { return }
        self.counts[Int((microseconds - self.beginsAt) / Self.hourMicroseconds)] += opened
    }

    /// Every hour up to that of `now` (UNIX nanoseconds), or of the last open where another hub's clock is ahead; none when
    /// there are no opens. `hour` is its begin, UNIX nanoseconds.
    package func hours(until now: UInt64) -> [(hour: UInt64, opened: Int64)] {
        guard let last = self.counts.lastIndex(where: { $0 != 0 }) else { return [] }
        let passed = (StoreTime(nanoseconds: now).microseconds - self.beginsAt) / Self.hourMicroseconds
        let end = max(last, min(Int(clamping: passed), Self.hoursMax - 1))
        return (0...end).map { index in
            (UInt64(self.beginsAt + Int64(index) * Self.hourMicroseconds) * 1_000, self.counts[index])
        }
    }
}
