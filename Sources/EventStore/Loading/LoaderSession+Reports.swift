import MessageIDs
import Postgres

extension LoaderSession {
    /// Writes the batch's messages, and marks the events that repeat a report of the batch or of the database; what changed.
    ///
    /// The look for stored reports comes after the upsert, which has locked the messages' rows, known ones and new ones: of two
    /// loaders with the same report the second one waits there, and then sees what the first one stored.
    ///
    /// The upsert may thus take a repeat for a message's first open. That needs a stored report of a class that does not count
    /// and a repeat of one that does (a proxy in between that added a header): the upsert is undone and made without it.
    func writeMessages(of batch: inout LoadBatch) throws -> [MessageChange] {
        batch.markOwnRepeats()
        batch.group()
        guard batch.hasReports else { return try self.upsertMessages(of: batch) }
        try self.connection.execute("SAVEPOINT messages")
        while true {
            let changes = try self.upsertMessages(of: batch)
            for place in try self.findStored(batch.reportsToFind(changes), of: batch) { batch.markRepeat(place) }
            guard batch.hasRepeatAsFirst(changes) else { return changes }
            // Ends: each turn leaves out an event more.
            try self.connection.execute("ROLLBACK TO SAVEPOINT messages")
            batch.group()
        }
    }

    /// Those of the batch's events whose report is stored.
    private func findStored(_ places: [Int], of batch: LoadBatch) throws -> [Int] {
        let names = places.compactMap { batch.events[$0].reportName }
        guard !names.isEmpty else { return [] }
        let since = places.map { place in
            let loaded = batch.events[place]
            return ReportWindow.begin(receivedAt: loaded.receivedAt, sentAt: loaded.event.message.sentAt)
        }
        let stored = try self.connection.query(
            EmbeddedSQL.reportFindStored,
            [
                .int64Array(names.map(\.message.account)), .uuidArray(names.map(\.message.key.value)),
                .int16Array(names.map { Int16($0.kind.rawValue) }), .uuidArray(names.map(\.report)),
                .timestampArray(since),
            ])
        return try (0..<stored.count).map { places[Int(try stored.int64($0, 0)) - 1] }
    }
}
