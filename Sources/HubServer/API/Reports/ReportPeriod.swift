import Foundation
import MessageIDs
import StrictJSON

/// `from`, `to` and `tz` of a report: the half-open span `from ..< to`, UNIX nanoseconds. Each end is an RFC 3339 time or a
/// date `YYYY-MM-DD`, which stands for the first instant of that day in `tz` (IANA, default UTC).
struct ReportPeriod: Sendable {
    static let parameters = ["from", "to", "tz"]

    let from: UInt64?
    let to: UInt64?

    init(_ query: inout QueryParameters) {
        let zone = query.value("tz", Self.zone) ?? .gmt
        let end = { (text: String) throws(FieldReason) in try Self.instant(text, in: zone) }
        let from = query.value("from", end)
        let to = query.value("to", end)
        if let from, let to, from > to {
            query.faults.add(.parameter("to"), .outOfRange, "Must not be before from.")
        }
        self.from = from
        self.to = to
    }

    private static func zone(_ name: String) throws(FieldReason) -> TimeZone {
        // Foundation also takes forms like GMT+3, which IANA does not know.
        guard name == "UTC" || (name.contains("/") && !name.contains(":")), let zone = TimeZone(identifier: name) else {
            throw FieldReason(code: .unknownValue, detail: "Must be an IANA time zone such as Europe/Berlin, or UTC.")
        }
        return zone
    }

    private static func instant(_ text: String, in zone: TimeZone) throws(FieldReason) -> UInt64 {
        if text.utf8.count == 10, let midnight = UnixTime.nanoseconds(text: text + "T00:00:00Z") {
            let seconds = Self.startOfDay(localSeconds: Int64(midnight / 1_000_000_000), in: zone)
            if seconds >= 0 { return UInt64(seconds) * 1_000_000_000 }
        } else if let instant = UnixTime.nanoseconds(text: text) {
            return instant
        }
        throw FieldReason(code: .invalid, detail: "Must be an RFC 3339 time or a date YYYY-MM-DD, from 1970 on.")
    }

    /// UNIX seconds of the first instant of a local day, given its midnight counted as if the zone were UTC.
    ///
    /// Where the clocks go forward over midnight the day begins at the change; where they go back over it, at the first of
    /// the two midnights.
    private static func startOfDay(localSeconds: Int64, in zone: TimeZone) -> Int64 {
        let offset = { (seconds: Int64) in
            // Whole seconds of this age are exact in a double.
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
        let before = localSeconds - offset(localSeconds - 86_400)
        let after = localSeconds - offset(localSeconds + 86_400)
        if localSeconds - offset(before) == before { return before }
        return localSeconds - offset(after) == after ? after : before
    }
}
