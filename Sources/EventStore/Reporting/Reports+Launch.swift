package import MessageIDs
package import Postgres

extension Reports {
    /// nil when nothing is known of the launch.
    package static func launch(
        _ launch: LaunchID, includeTests: Bool, on connection: PostgresConnection
    ) throws -> LaunchReport? {
        let launchedAt = StoreTime(nanoseconds: launch.launchedAt)
        let rows = try connection.query(
            EmbeddedSQL.launchReport,
            [
                .int64(launch.account), .int64(launch.campaign), .timestamp(launchedAt.microseconds),
                .int16(launchedAt.nanos),
            ])
        guard rows.count > 0 else { return nil }
        var report = LaunchReport(launch: launch, totals: ReportRow(), byProvider: [], byClass: [])
        var classes: [EventClass: (opensTotal: Int64, acksTotal: Int64)] = [:]
        for index in 0..<rows.count where try includeTests || !rows.bool(index, 0) {
            let provider = Provider(rawValue: UInt8(truncatingIfNeeded: try rows.int64(index, 1)))
            guard let eventClass = EventClass(rawValue: UInt8(truncatingIfNeeded: try rows.int64(index, 2))) else {
                throw StoreError(.inconsistent, "a counter of an unknown class")
            }
            let acksTotal = try rows.int64(index, 7)
            let opensTotal = try rows.int64(index, 8)
            var row = ReportRow()
            row.sent = try rows.int64(index, 3)
            row.acked = try rows.int64(index, 4)
            row.derived = try rows.int64(index, 5)
            row.opened = try rows.int64(index, 6)
            row.acksTotal = acksTotal
            row.opensTotal = eventClass.countsOpens ? opensTotal : 0
            report.totals += row
            if report.byProvider.last?.provider != provider { report.byProvider.append((provider, ReportRow())) }
            report.byProvider[report.byProvider.count - 1].row += row
            classes[eventClass, default: (0, 0)].opensTotal += opensTotal
            classes[eventClass, default: (0, 0)].acksTotal += acksTotal
        }
        report.byClass = EventClass.allCases.compactMap { eventClass in
            guard let totals = classes[eventClass], totals.opensTotal + totals.acksTotal > 0 else { return nil }
            return (eventClass, totals.opensTotal, totals.acksTotal)
        }
        return report
    }
}
