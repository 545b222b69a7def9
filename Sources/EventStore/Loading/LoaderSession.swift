import MessageIDs
import Postgres

/// One connection of the loader and what only holds for it. Each batch is one transaction; the position is in it.
final class LoaderSession {
    let connection: PostgresConnection
    private let hub: UInt128
    private var days = PartitionDays()
    /// Events that an account may have parked.
    let unmatchedEventsMax: Int64
    var room = UnmatchedRoom()

    init(_ configuration: Loader.Configuration) throws {
        self.connection = try PostgresConnection(configuration.postgres)
        self.hub = configuration.hub
        self.unmatchedEventsMax = Int64(configuration.unmatchedEventsPerAccountMax)
        try self.connection.execute(EmbeddedSQL.batchMessageCreate)
        try self.connection.query(EmbeddedSQL.hubPositionCreate, [.uuid(self.hub)])
    }

    /// How far the database has this hub's spool.
    func position() throws -> UInt64 {
        let rows = try self.connection.query(EmbeddedSQL.hubPositionRead, [.uuid(self.hub)])
        guard rows.count == 1 else { throw StoreError(.inconsistent, "the hub's position is gone") }
        return UInt64(try rows.int64(0, 0))
    }

    /// What lay before `position` is lost to the spool: the database goes on from there.
    func movePosition(from old: UInt64, to position: UInt64) throws {
        try self.connection.transaction {
            try self.lockPosition(at: old)
            try self.savePosition(position)
        }
    }

    func makePartitionsAhead(now: UInt64, days: Int) throws {
        _ = try Partitions.makeAhead(now: now, daysAhead: days, on: self.connection)
    }

    /// Forgets mint requests that can't be repeated any more; no more than `purgedRowsMax` of each table, for it keeps the
    /// loader's thread from loading.
    func purgeRequests() throws {
        try self.connection.query(EmbeddedSQL.mintRequestPurge, [.int64(Self.purgedRowsMax)])
        try self.connection.query(EmbeddedSQL.sentRequestPurge, [.int64(Self.purgedRowsMax)])
    }

    static let purgedRowsMax: Int64 = 100_000

    /// Loads a batch that ends at `end`, and parks its events whose message nobody knows; `now` is UNIX nanoseconds.
    func load(_ batch: inout LoadBatch, end: UInt64, now: UInt64) throws -> Parked {
        try self.days.ensure(for: batch, now: now, on: self.connection)
        return try self.connection.transaction {
            try self.lockPosition(at: batch.begin)
            if !batch.keyedEvents.isEmpty { batch.match(try self.findMessages(batch.namesToFind)) }
            let parked = try self.store(&batch)
            for record in batch.refused {
                try self.quarantine(
                    record.bytes, begin: batch.begin, index: record.index, sqlState: nil, reason: record.reason)
            }
            try self.savePosition(end)
            return parked
        }
    }

    /// Writes what the batch holds, inside a transaction.
    ///
    /// Counters come last: their rows are shared with other hubs' loaders, and a lock taken late is held for a moment only.
    /// Every loader takes its locks in one order (new messages, known ones, requests, totals, buckets, each by key), so none
    /// waits in a circle.
    func store(_ batch: inout LoadBatch) throws -> Parked {
        var sums = CountSums<BucketKey>()
        for change in try self.writeMessages(of: &batch) { batch.markFirsts(change, &sums) }
        if batch.newEventCount > 0 {
            try self.copyEvents(batch)
            self.countEvents(of: batch, &sums)
        }
        let parked = batch.keyedEvents.isEmpty ? Parked() : try self.park(batch)
        try self.countSent(batch.sentCounts, &sums)
        try self.add(sums)
        return parked
    }

    /// Puts the one record of a batch aside, in place of loading it.
    func quarantine(_ batch: LoadBatch, end: UInt64, because error: PostgresError) throws {
        precondition(batch.recordCount == 1, "only a lone record is known to be the culprit")
        try self.connection.transaction {
            try self.lockPosition(at: batch.begin)
            try self.quarantine(
                batch.lastRecord, begin: batch.begin, index: 0, sqlState: error.sqlState, reason: error.description)
            try self.savePosition(end)
        }
    }

    /// Makes the days of events that come from elsewhere than a batch.
    func ensureDays(of events: [UnmatchedEvent]) throws {
        for event in events {
            try self.days.ensureEventDay(Int(event.receivedAt / 86_400_000_000), on: self.connection)
        }
    }

    /// After an error: days may have been dropped meanwhile, and what was parked was not.
    func forgetWhatWasKnown() {
        self.days = PartitionDays()
        self.room = UnmatchedRoom()
    }

    private func lockPosition(at expected: UInt64) throws {
        let rows = try self.connection.query(EmbeddedSQL.hubPositionLock, [.uuid(self.hub)])
        guard rows.count == 1 else { throw StoreError(.inconsistent, "the hub's position is gone") }
        let stored = UInt64(try rows.int64(0, 0))
        guard stored == expected else {
            throw StoreError(.positionMoved, "the database is at position \(stored), the batch begins at \(expected)")
        }
    }

    private func savePosition(_ position: UInt64) throws {
        try self.connection.query(EmbeddedSQL.hubPositionSave, [.uuid(self.hub), .int64(Int64(position))])
    }

    /// Without an index, which a batch's record has, it gets a number below 0.
    func quarantine(_ record: [UInt8], begin: UInt64, index: Int?, sqlState: String?, reason: String) throws {
        try self.connection.query(
            EmbeddedSQL.quarantineAdd,
            [
                .uuid(self.hub), .int64(Int64(begin)), index.map { .int64(Int64($0)) } ?? .null, .bytes(record),
                sqlState.map { .text($0) } ?? .null, .text(reason),
            ])
    }
}
