package import MessageIDs
package import Postgres

extension Reports {
    /// nil when nothing is known of the launch. `width` chooses by the microseconds from the launch's first counted message
    /// to its last, by the begins of their buckets; 0 where there is none.
    package static func intervals(
        of launch: LaunchID, includeTests: Bool, on connection: PostgresConnection,
        width: (_ spanMicroseconds: Int64) -> LaunchIntervals.Width
    ) throws -> LaunchIntervals? {
        try connection.transaction {
            // One snapshot, so that the width fits what is then read.
            try connection.execute("set transaction isolation level repeatable read, read only")
            let launchedAt = StoreTime(nanoseconds: launch.launchedAt)
            let key: [PostgresValue] = [
                .int64(launch.account), .int64(launch.campaign), .timestamp(launchedAt.microseconds),
                .int16(launchedAt.nanos), .bool(includeTests),
            ]
            let span = try connection.query(EmbeddedSQL.launchSpan, key)
            guard try span.int64(0, 0) > 0 else { return nil }
            let width = width(
                span.isNull(0, 1) ? 0 : try span.timestamp(0, 2) - span.timestamp(0, 1))
            let rows = try connection.query(EmbeddedSQL.launchIntervals, key + [.text(width.rawValue)])
            return LaunchIntervals(width: width, parts: try (0..<rows.count).map { try self.part(rows, $0) })
        }
    }

    private static func part(_ rows: PostgresRows, _ index: Int) throws -> LaunchIntervals.Part {
        var row = ReportRow()
        row.sent = try rows.int64(index, 2)
        row.acked = try rows.int64(index, 3)
        row.derived = try rows.int64(index, 4)
        row.opened = try rows.int64(index, 5)
        row.acksTotal = try rows.int64(index, 6)
        row.opensTotal = try rows.int64(index, 7)
        return LaunchIntervals.Part(
            beginsAt: try rows.timestamp(index, 0),
            provider: Provider(rawValue: UInt8(truncatingIfNeeded: try rows.int64(index, 1))), row: row)
    }
}
