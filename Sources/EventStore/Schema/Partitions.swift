package import Postgres

/// Day partitions, made ahead and on demand; retention drops whole ones. All days are UTC.
package enum Partitions {
    /// Makes the partitions of yesterday to `daysAhead` days from `now` (UNIX nanoseconds), of events by receipt and of
    /// messages by send time; how many were made. Safe from several hubs at once, and beside running loaders.
    package static func makeAhead(now: UInt64, daysAhead: Int, on connection: PostgresConnection) throws -> Int {
        precondition(daysAhead >= 0 && daysAhead <= 366, "days ahead: 0 to 366")
        let today = StoreTime(nanoseconds: now).day
        var made = 0
        for day in max(today - 1, 0)...(today + daysAhead) {
            made += try self.ensureEventDay(day, on: connection) ? 1 : 0
            made += try self.ensureMessageDay(day, on: connection) ? 1 : 0
        }
        return made
    }

    /// Makes the day's partition of events if it is missing; whether it was. An event can't be stored without.
    static func ensureEventDay(_ day: Int, on connection: PostgresConnection) throws(PostgresError) -> Bool {
        try connection.query(EmbeddedSQL.partitionEnsureEventDay, [.int64(Int64(day))]).bool(0, 0)
    }

    /// Makes the day's partition of messages if it is missing; whether it was. When a lock that it needs is held for more
    /// than a second, or the move of the day's rows exceeds the statement time-out, it leaves it to another time and answers
    /// false: the default partition serves until then.
    static func ensureMessageDay(_ day: Int, on connection: PostgresConnection) throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            return try connection.query(EmbeddedSQL.partitionEnsureMessageDay, [.int64(Int64(day))]).bool(0, 0)
        } catch {
            guard error.sqlState == "55P03" || error.sqlState == "57014" else { throw error }
            return false
        }
    }
}
