import Testing

@testable import EventStore

/// Hours of UTC, from the one of sending to the present one.
struct HourlyOpensTests {
    private static let hour: UInt64 = 3_600_000_000_000
    /// 12:00, the hour of the sample's launch.
    private static let first = Sample.launchedAt / Self.hour * Self.hour

    private static func opens(_ opens: [(UInt64, Int64)]) -> HourlyOpens {
        var hourly = HourlyOpens(sentAt: StoreTime(nanoseconds: Sample.launchedAt))
        for (time, count) in opens { hourly.add(count, at: StoreTime(nanoseconds: time).microseconds) }
        return hourly
    }

    /// Each open in its hour, sums within one; the borders are whole hours, and what lies beyond is left out.
    @Test(
        arguments: [
            (0, 0), (Self.hour - 1_000, 0), (Self.hour, 1), (2 * Self.hour - 1_000, 1), (47 * Self.hour, 47),
            (48 * Self.hour - 1_000, 47), (48 * Self.hour, nil), (1_000 * Self.hour, nil),
        ] as [(UInt64, Int?)])
    func placesAnOpen(_ after: UInt64, _ place: Int?) {
        let hourly = Self.opens([(Self.first + after, 2), (Self.first + after, 3)])
        let hours = hourly.hours(until: Self.first + 99 * Self.hour)
        #expect(hours.firstIndex { $0.opened == 5 } == place)
        #expect(hours.reduce(0) { $0 + $1.opened } == (place == nil ? 0 : 5))
        #expect(hours.count == (place == nil ? 0 : 48))
        for (index, hour) in hours.enumerated() { #expect(hour.hour == Self.first + UInt64(index) * Self.hour) }
    }

    @Test func leavesOutWhatCameBefore() {
        #expect(Self.opens([(Self.first - 1_000, 1)]).hours(until: Self.first).isEmpty)
    }

    /// Up to the hour of `now`, to the last open where that is later, and never beyond 48.
    @Test(
        arguments: [
            (0, 4), (2 * Self.hour, 4), (3 * Self.hour, 4), (4 * Self.hour - 1, 4), (4 * Self.hour, 5),
            (47 * Self.hour, 48),
            (48 * Self.hour, 48), (UInt64.max - Self.first, 48),
        ] as [(UInt64, Int)])
    func endsWithThePresentHour(_ now: UInt64, _ count: Int) {
        let hourly = Self.opens([(Self.first + 3 * Self.hour, 1)])
        #expect(hourly.hours(until: Self.first + now).count == count)
    }

    /// A send time ahead of the clock.
    @Test func survivesAPresentBeforeTheSending() {
        #expect(Self.opens([(Self.first, 1)]).hours(until: 0).map(\.opened) == [1])
        #expect(Self.opens([]).hours(until: 0).isEmpty)
    }
}
