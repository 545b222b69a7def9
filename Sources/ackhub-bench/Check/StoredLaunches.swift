import MessageIDs
import Postgres

/// The launches that a database knows.
enum StoredLaunches {
    static func largest(_ count: Int, of account: Int64, on connection: PostgresConnection) throws -> [LaunchID] {
        try connection.withoutTimeouts {
            let rows = try connection.query(Self.sql, [.int64(account), .int64(Int64(count))])
            return try (0..<rows.count).map { row in
                LaunchID(
                    account: account, campaign: try rows.int64(row, 0),
                    launchedAt: UInt64(try rows.int64(row, 1)) * 1_000 + UInt64(try rows.int64(row, 2)))
            }
        }
    }

    /// The launch time in two parts, microseconds since 1970 and nanoseconds, as it is stored.
    private static let sql = """
        select campaign_id, (extract(epoch from launched_at) * 1000000)::bigint, launched_at_nanos::bigint
        from ackhub.launch_total
        where account_id = $1
        group by campaign_id, launched_at, launched_at_nanos
        order by sum(acks_total + opens_total) desc, launched_at, launched_at_nanos, campaign_id
        limit $2
        """
}
