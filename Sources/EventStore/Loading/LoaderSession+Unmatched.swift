import MessageIDs
import Postgres

extension LoaderSession {
    /// How many events were parked, and how many were not for want of room.
    struct Parked {
        var events = 0
        var refused = 0
    }

    /// Those of the messages that the database has. A row whose fields do not make its key is none of ours, and unknown.
    func findMessages(_ names: [MessageName]) throws -> [MessageName: SendMessageID] {
        let names = names.sorted { $0.key < $1.key }
        var found: [MessageName: SendMessageID] = [:]
        for run in PartitionDays.runs(of: names.map(\.key), now: WallClock.now()) {
            let rows = try self.connection.query(
                EmbeddedSQL.messageFindByKeys,
                [.int64Array(names[run].map(\.account)), .uuidArray(names[run].map(\.key.value))])
            for row in 0..<rows.count {
                let key = MessageKey(try rows.uuid(row, SendMessageID.rowColumns))
                let message: SendMessageID
                do {
                    message = try SendMessageID(rows, row)
                } catch let error as StoreError where error.code == .inconsistent {
                    continue
                }
                if message.messageKey == key { found[MessageName(account: message.account, key: key)] = message }
            }
        }
        return found
    }

    /// Parks the batch's keyed events, as many as each account has room for.
    func park(_ batch: LoadBatch) throws -> Parked {
        var parked = Parked()
        self.room.renew(monotonic: WallClock.monotonic())
        // Asked before the COPY begins, which the connection then belongs to.
        let admitted = try batch.keyedEvents.filter { loaded in
            let account = loaded.event.account
            return try self.room.take(account) { try self.roomLeft(account) }
        }
        parked.refused = batch.keyedEvents.count - admitted.count
        guard !admitted.isEmpty else { return parked }
        let userAgents = batch.userAgents.span.bytes
        var record: [UInt8] = []
        parked.events = try self.connection.copyIn(EmbeddedSQL.unmatchedEventCopy, columnCount: 4) { rows in
            for loaded in admitted {
                record.removeAll(keepingCapacity: true)
                loaded.event.appendRecord(userAgent: userAgents.extracting(loaded.userAgent), to: &record)
                try rows.row()
                rows.append(loaded.event.account)
                rows.append(uuid: loaded.event.key.value)
                rows.append(timestamp: loaded.receivedAt)
                rows.append(bytes: record.span.bytes)
            }
        }
        return parked
    }

    private func roomLeft(_ account: Int64) throws -> Int64 {
        let limit = self.unmatchedEventsMax
        let rows = try self.connection.query(EmbeddedSQL.unmatchedEventCount, [.int64(account), .int64(limit)])
        return limit - (try rows.int64(0, 0))
    }

    /// The parked events behind a row, in the order of the primary key.
    func listUnmatched(after id: UnmatchedEvent.ID, rowsMax: Int) throws -> [UnmatchedEvent] {
        let rows = try self.connection.query(
            EmbeddedSQL.unmatchedEventList,
            [.int64(id.message.account), .uuid(id.message.key.value), .int64(id.event), .int64(Int64(rowsMax))])
        return try (0..<rows.count).map { row in
            UnmatchedEvent(
                id: UnmatchedEvent.ID(
                    message: MessageName(
                        account: try rows.int64(row, 0), key: MessageKey(try rows.uuid(row, 1))),
                    event: try rows.int64(row, 2)),
                receivedAt: try rows.timestamp(row, 3))
        }
    }

    /// Loads parked events whose messages were found: takes them and counts them in one transaction. Leaves in `batch`, which
    /// begins at the loader's position, what it loaded; events that another loader is taking are not among it.
    func loadUnmatched(
        _ events: [UnmatchedEvent], of messages: [MessageName: SendMessageID], through batch: inout LoadBatch
    ) throws {
        try self.ensureDays(of: events)
        try self.connection.transaction {
            for record in try self.takeUnmatched(events) { batch.append(record.span.bytes) }
            batch.match(messages)
            _ = try self.store(&batch)
            for record in batch.refused {
                try self.quarantine(
                    record.bytes, begin: batch.begin, index: nil, sqlState: nil, reason: record.reason)
            }
        }
    }

    /// Puts a parked event aside that the database refuses.
    func quarantineUnmatched(_ event: UnmatchedEvent, position: UInt64, because error: PostgresError) throws {
        try self.connection.transaction {
            for record in try self.takeUnmatched([event]) {
                try self.quarantine(
                    record, begin: position, index: nil, sqlState: error.sqlState, reason: error.description)
            }
        }
    }

    private func takeUnmatched(_ events: [UnmatchedEvent]) throws -> [[UInt8]] {
        let rows = try self.connection.query(
            EmbeddedSQL.unmatchedEventTake,
            [
                .int64Array(events.map(\.id.message.account)), .uuidArray(events.map(\.id.message.key.value)),
                .int64Array(events.map(\.id.event)),
            ])
        return try (0..<rows.count).map { try rows.bytes($0, 0) }
    }

    /// Drops parked events received before `time`, UNIX nanoseconds; how many, no more than `purgedRowsMax`.
    func purgeUnmatched(before time: UInt64) throws -> Int {
        let time = StoreTime(nanoseconds: time).microseconds
        return try self.connection.query(
            EmbeddedSQL.unmatchedEventPurge, [.timestamp(time), .int64(Self.purgedRowsMax)]
        ).affected
    }
}
