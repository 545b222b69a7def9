import EventStore
import MessageIDs

/// How Pushwoosh's statistics cut and write time.
enum PushwooshTime {
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * Self.hour

    /// How fine a version 1 statistic of so long a time is ("Statistics API v1"), for months of 30 days and years of 365.
    static func width(spanMicroseconds span: Int64) -> LaunchIntervals.Width {
        switch span {
        case (365 * Self.day + 1)...: .year
        case (30 * Self.day + 1)...: .month
        case (Self.day + 1)...: .day
        case (3 * Self.hour + 1)...: .hour
        default: .minute
        }
    }

    /// The width's name in `formatter`.
    static func formatter(_ width: LaunchIntervals.Width) -> String {
        switch width {
        case .minute: "minutely"
        case .hour: "hourly"
        case .day: "daily"
        case .month: "monthly"
        case .year: "yearly"
        }
    }

    /// `2026-03-01 12:00:00`, UTC, from the UNIX microseconds of an interval's begin: never a fraction, never before 1970.
    static func text(_ microseconds: Int64) -> String {
        let time = UnixTime.text(nanoseconds: UInt64(clamping: microseconds) * 1_000)
        return String(time.dropLast()).replacing("T", with: " ")
    }
}
