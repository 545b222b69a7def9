package import MessageIDs
package import Postgres

extension Reports {
    /// A message's first open that counts, if it has one; nil when nothing is known of the message.
    package static func opens(
        ofMessage key: MessageKey, account: Int64, on connection: PostgresConnection
    ) throws -> HourlyOpens? {
        let rows = try connection.query(EmbeddedSQL.messageFind, [.int64(account), .uuid(key.value)])
        guard rows.count == 1 else { return nil }
        var opens = HourlyOpens(sentAt: StoreTime(nanoseconds: try SendMessageID(rows, 0).sentAt))
        if !rows.isNull(0, 14) { opens.add(1, at: try rows.timestamp(0, 14)) }
        return opens
    }

    /// How many of a launch's messages were first opened when; nil when nothing is known of the launch.
    package static func opens(
        of launch: LaunchID, includeTests: Bool, on connection: PostgresConnection
    ) throws -> HourlyOpens? {
        let launchedAt = StoreTime(nanoseconds: launch.launchedAt)
        var opens = HourlyOpens(sentAt: launchedAt)
        let rows = try connection.query(
            EmbeddedSQL.launchOpens,
            [
                .int64(launch.account), .int64(launch.campaign), .timestamp(launchedAt.microseconds),
                .int16(launchedAt.nanos), .timestamp(opens.beginsAt), .timestamp(opens.endsAt), .bool(includeTests),
            ])
        guard rows.count > 0 else { return nil }
        for row in 0..<rows.count where !rows.isNull(row, 0) {
            opens.add(try rows.int64(row, 1), at: try rows.timestamp(row, 0))
        }
        return opens
    }
}
