package import MessageIDs
package import Postgres

extension Reports {
    /// No message's history shows more events: the first ones.
    package static let messageEventsMax = 1000

    /// nil when nothing is known of the message.
    package static func message(
        account: Int64, key: MessageKey, on connection: PostgresConnection
    ) throws -> MessageReport? {
        try connection.transaction {
            try connection.execute("set transaction isolation level repeatable read, read only")
            let rows = try connection.query(EmbeddedSQL.messageFind, [.int64(account), .uuid(key.value)])
            guard rows.count == 1 else { return nil }
            let events = try connection.query(
                EmbeddedSQL.eventListOfMessage,
                [.int64(account), .uuid(key.value), .int64(Int64(self.messageEventsMax))])
            return MessageReport(
                message: try SendMessageID(rows, 0), key: key,
                ackedAt: rows.isNull(0, 13) ? nil : try rows.timestamp(0, 13),
                openedAt: rows.isNull(0, 14) ? nil : try rows.timestamp(0, 14),
                events: try (0..<events.count).map { try self.event(events, $0) })
        }
    }

    private static func event(_ rows: PostgresRows, _ row: Int) throws -> StoredEvent {
        func code(_ column: Int) throws -> UInt8 { UInt8(truncatingIfNeeded: try rows.int64(row, column)) }
        guard let kind = EventKind(rawValue: try code(0)), let dialect = EventDialect(rawValue: try code(4)),
            let eventClass = EventClass(rawValue: try code(5))
        else { throw StoreError(.inconsistent, "an event of an unknown kind, dialect or class") }
        return StoredEvent(
            kind: kind, isFirst: try rows.bool(row, 1), receivedAt: try rows.timestamp(row, 2),
            deviceAt: rows.isNull(row, 3) ? nil : try rows.timestamp(row, 3), dialect: dialect, eventClass: eventClass,
            flags: EventFlags(rawValue: try code(6)), address: rows.isNull(row, 7) ? nil : try rows.text(row, 7),
            userAgent: rows.isNull(row, 8) ? nil : try rows.text(row, 8))
    }
}
