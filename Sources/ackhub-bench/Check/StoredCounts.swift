import MessageIDs
import Postgres

/// What the database holds of a run's launches: counted in the raw rows, and as the counters say.
struct StoredCounts: Sendable, Equatable {
    struct OfKind: Sendable, Equatable {
        /// Rows of `event_log`.
        var events: Int64 = 0
        /// Different messages among them.
        var distinct: Int64 = 0
        /// Those marked as their message's first.
        var firsts: Int64 = 0
        /// The launches' counters.
        var total: Int64 = 0
        var unique: Int64 = 0
    }

    var acks = OfKind()
    var opens = OfKind()

    /// Counts everything, however long it takes.
    init(of launches: LaunchRange, on connection: PostgresConnection) throws {
        var counts: [Int64: OfKind] = [:]
        try connection.withoutTimeouts {
            try connection.transaction {
                // Tables that were filled a moment ago have no statistics: PostgreSQL takes them for small, and a nested
                // loop over a million rows lasts for minutes.
                try connection.execute("set local enable_nestloop = off")
                let rows = try connection.query(Self.rawSQL, Self.key(launches))
                for row in 0..<rows.count {
                    counts[try rows.int64(row, 0)] = OfKind(
                        events: try rows.int64(row, 1), distinct: try rows.int64(row, 2), firsts: try rows.int64(row, 3)
                    )
                }
            }
        }
        self.acks = counts[Int64(EventKind.ack.rawValue)] ?? OfKind()
        self.opens = counts[Int64(EventKind.open.rawValue)] ?? OfKind()
        let rows = try connection.query(Self.counterSQL, Self.key(launches))
        self.acks.total = try rows.int64(0, 0)
        self.acks.unique = try rows.int64(0, 1)
        self.opens.total = try rows.int64(0, 2)
        self.opens.unique = try rows.int64(0, 3)
    }

    /// Events of the launches that the counters hold: cheap, so it may be asked often.
    static func counted(of launches: LaunchRange, on connection: PostgresConnection) throws(PostgresError) -> Int64 {
        let rows = try connection.query(Self.counterSQL, Self.key(launches))
        return try rows.int64(0, 0) + rows.int64(0, 2)
    }

    /// Account, campaign, and the first and the last launch time, each in two columns.
    private static func key(_ launches: LaunchRange) -> [PostgresValue] {
        [.int64(launches.first.account), .int64(launches.first.campaign)]
            + [launches.first, launches.last].flatMap { launch -> [PostgresValue] in
                [.timestamp(Int64(launch.launchedAt / 1_000)), .int16(Int16(launch.launchedAt % 1_000))]
            }
    }

    /// Messages are sent after their launches began, and keys sort by send time: that leaves the recent partitions.
    private static let rawSQL = """
        select e.kind, count(*), count(distinct e.message_key), count(*) filter (where e.is_first)
        from ackhub.message m
        join ackhub.event_log e on e.account_id = m.account_id and e.message_key = m.message_key
        where m.account_id = $1 and m.campaign_id = $2
            and (m.launched_at, m.launched_at_nanos) between ($3, $4) and ($5, $6)
            and m.message_key >= ackhub.message_key_floor($3)
        group by e.kind
        """

    private static let counterSQL = """
        select coalesce(sum(acks_total), 0)::bigint, coalesce(sum(acked), 0)::bigint,
            coalesce(sum(opens_total), 0)::bigint, coalesce(sum(opened), 0)::bigint
        from ackhub.launch_total
        where account_id = $1 and campaign_id = $2
            and (launched_at, launched_at_nanos) between ($3, $4) and ($5, $6)
        """
}
