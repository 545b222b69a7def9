import EventStore
import StrictJSON

/// A launch's figures as Pushwoosh tells them: sends, deliveries and opens by time and platform.
///
/// They are the launch report's counters `sent`, `delivered` and `opened`, so a message counts once in each, at its first
/// event, and sums are the report's.
struct PushwooshFigures: Sendable {
    struct Counts: Sendable, Equatable {
        var sends: Int64 = 0
        var deliveries: Int64 = 0
        var opens: Int64 = 0

        var isZero: Bool { self == Counts() }

        static func += (left: inout Counts, right: Counts) {
            left.sends += right.sends
            left.deliveries += right.deliveries
            left.opens += right.opens
        }
    }

    private struct Place: Hashable {
        /// UNIX microseconds.
        var beginsAt: Int64
        var platform: Int64
    }

    private let width: LaunchIntervals.Width
    /// In order of time, then platform.
    private let parts: [(place: Place, counts: Counts)]

    /// Only of these platforms; of all when there is none.
    init(_ intervals: LaunchIntervals, platforms: Set<Int64>) {
        var sums: [Place: Counts] = [:]
        for part in intervals.parts {
            let platform = PushwooshPlatform.number(of: part.provider)
            guard platforms.isEmpty || platforms.contains(platform) else { continue }
            sums[Place(beginsAt: part.beginsAt, platform: platform), default: Counts()] += Counts(
                sends: part.row.sent, deliveries: part.row.delivered, opens: part.row.opened)
        }
        self.width = intervals.width
        // Repeats alone make no interval.
        self.parts = sums.filter { !$0.value.isZero }.map { (place: $0.key, counts: $0.value) }
            .sorted { ($0.place.beginsAt, $0.place.platform) < ($1.place.beginsAt, $1.place.platform) }
    }

    /// The `response` of version 1's getResults.
    func writeResults(to json: inout JSONWriter) {
        json.beginObject()
        json.member("formatter", PushwooshTime.formatter(self.width))
        json.key("rows")
        json.beginArray()
        for (beginsAt, counts) in self.byTime {
            for (action, count) in [("send", counts.sends), ("delivery", counts.deliveries), ("open", counts.opens)] {
                json.beginObject()
                json.member("datetime", PushwooshTime.text(beginsAt))
                json.member("action", action)
                json.member("count", count)
                json.endObject()
            }
        }
        json.endArray()
        self.writeConversion(to: &json)
        json.endObject()
    }

    /// Version 2's body, with counts as strings. The last three are 0 because the hub is told nothing of them.
    func writeTotals(to json: inout JSONWriter) {
        json.beginObject()
        json.key("metrics")
        json.beginArray()
        for (place, counts) in self.parts {
            json.beginObject()
            json.member("timestamp", PushwooshTime.text(place.beginsAt))
            json.member("platform", place.platform)
            json.member("sends", String(counts.sends))
            json.member("opens", String(counts.opens))
            json.member("deliveries", String(counts.deliveries))
            json.member("inbox_opens", "0")
            json.member("unshowable_sends", "0")
            json.member("errors", "0")
            json.endObject()
        }
        json.endArray()
        self.writeConversion(to: &json)
        json.endObject()
    }

    /// The sums. `events` would be the app's own goals.
    private func writeConversion(to json: inout JSONWriter) {
        let total = self.parts.reduce(into: Counts()) { $0 += $1.counts }
        json.key("conversion")
        json.beginObject()
        json.member("send", total.sends)
        json.member("delivery", total.deliveries)
        json.member("open", total.opens)
        json.key("events")
        json.beginArray()
        json.endArray()
        json.endObject()
    }

    private var byTime: [(beginsAt: Int64, counts: Counts)] {
        var rows: [(beginsAt: Int64, counts: Counts)] = []
        for (place, counts) in self.parts {
            if rows.last?.beginsAt != place.beginsAt { rows.append((place.beginsAt, Counts())) }
            rows[rows.count - 1].counts += counts
        }
        return rows
    }
}
