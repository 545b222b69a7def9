import MessageIDs
import Postgres

/// Compares the store's counters with what was put in. The raw rows are recounted by `ackhub reconcile`.
struct FillCheck {
    let launches: FillLaunches
    let connection: PostgresConnection

    /// Launches that are named at most; of more their number is told.
    private static let differencesMax = 10

    /// What does not agree, each as a sentence.
    func differences(_ ledger: FillLedger) throws -> [String] {
        let rows = try self.connection.query(
            Self.sql,
            [
                .int64(self.launches.account), .timestamp(Int64(self.launches.firstAt / 1_000)),
                .timestamp(Int64(self.launches.endAt / 1_000)),
            ])
        var stored = FillLedger(launches: self.launches.count).launches
        for row in 0..<rows.count {
            let launchedAt = UInt64(try rows.timestamp(row, 0)) * 1_000 + UInt64(try rows.int64(row, 1))
            guard let launch = self.launches.launch(launchedAt: launchedAt) else { continue }
            stored[launch] = FillLedger.Counts(
                acksTotal: try rows.int64(row, 2), acked: try rows.int64(row, 3), opensTotal: try rows.int64(row, 4),
                opened: try rows.int64(row, 5), derived: try rows.int64(row, 6))
        }
        return Self.differences(put: ledger.launches, stored: stored) { self.launches.id($0).text }
    }

    static func differences(
        put: [FillLedger.Counts], stored: [FillLedger.Counts], name: (Int) -> String
    ) -> [String] {
        let wrong = put.indices.filter { put[$0] != stored[$0] }
        var differences = wrong.prefix(Self.differencesMax).map { launch in
            "launch \(name(launch)): stored are \(Self.text(stored[launch])); put in were \(Self.text(put[launch]))"
        }
        if wrong.count > Self.differencesMax {
            differences.append("and \(wrong.count - Self.differencesMax) more launches")
        }
        return differences
    }

    private static func text(_ counts: FillLedger.Counts) -> String {
        "acks \(counts.acksTotal), acked \(counts.acked), opens \(counts.opensTotal), opened \(counts.opened), "
            + "derived \(counts.derived)"
    }

    private static let sql = """
        select launched_at, launched_at_nanos, sum(acks_total)::bigint, sum(acked)::bigint, sum(opens_total)::bigint,
            sum(opened)::bigint, sum(derived)::bigint
        from ackhub.launch_total
        where account_id = $1 and launched_at between $2 and $3
        group by launched_at, launched_at_nanos
        """
}
