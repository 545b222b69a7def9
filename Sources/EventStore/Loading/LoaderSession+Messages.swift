import MessageIDs
import Postgres

/// A message of a batch that the database has.
private struct KnownMessage {
    /// In the batch's `messages`.
    var place: Int
    /// Whether the batch brings it nothing: neither its first ack nor its first open that counts.
    var hasAll: Bool
}

extension LoaderSession {
    /// Writes the batch's distinct messages; what that changed, in their order.
    ///
    /// Most are new, and a COPY takes half of what an upsert costs. So the database is asked which it has: those alone are
    /// upserted, the others copied. Another loader may store one of them between the two: the unique index waits for its
    /// commit, and the database is asked again. All new ones come before all known ones, each in key order: a known
    /// message's row was committed when it was found, so nobody waits in a circle.
    func upsertMessages(of batch: LoadBatch) throws -> [MessageChange] {
        guard !batch.messages.isEmpty else { return [] }
        try self.connection.execute("SAVEPOINT new_messages")
        var known = try self.findKnown(batch)
        while true {
            do {
                try self.copyNew(of: batch, but: known)
                return try self.upsert(known, of: batch)
            } catch let error as PostgresError where error.isUniqueViolation {
                try self.connection.execute("ROLLBACK TO SAVEPOINT new_messages")
                let knownNow = try self.findKnown(batch)
                // What stood in the way is committed, and found: else it is no other loader's message.
                guard !Set(knownNow.map(\.place)).isSubset(of: known.map(\.place)) else { throw error }
                known = knownNow
            }
        }
    }

    /// The batch's messages that the database has, in order.
    private func findKnown(_ batch: LoadBatch) throws -> [KnownMessage] {
        let keys = batch.messages.map { batch.key(of: $0) }
        var known: [KnownMessage] = []
        for run in PartitionDays.runs(of: keys, now: WallClock.now()) {
            let rows = try self.connection.query(
                EmbeddedSQL.messageFindKnown, [.uuidArray(keys[run].map(\.value))])
            for row in 0..<rows.count {
                let place = run.lowerBound + Int(try rows.int64(row, 0)) - 1
                let message = batch.messages[place]
                let stored = Int16(truncatingIfNeeded: try rows.int64(row, 2))
                let isOwn = try rows.int64(row, 1) == batch.fields(of: message).account
                known.append(
                    KnownMessage(place: place, hasAll: isOwn && batch.state(of: message).bits & ~stored & 3 == 0))
            }
        }
        return known.sorted { $0.place < $1.place }
    }

    private func copyNew(of batch: LoadBatch, but known: [KnownMessage]) throws {
        guard known.count < batch.messages.count else { return }
        try self.connection.copyIn(EmbeddedSQL.messageCopy, columnCount: 17) { rows in
            var nextKnown = known[...]
            for place in batch.messages.indices {
                if nextKnown.first?.place == place {
                    nextKnown.removeFirst()
                } else {
                    try Self.append(batch.messages[place], of: batch, to: &rows)
                }
            }
        }
    }

    /// Upserts the known messages; the changes of all. One that has already what the batch brings is left alone, for what a
    /// message has it keeps; but where reports are to be looked for, its row is locked.
    private func upsert(_ known: [KnownMessage], of batch: LoadBatch) throws -> [MessageChange] {
        let upserted = known.lazy.filter { batch.hasReports || !$0.hasAll }.map(\.place)
        var changes: [MessageChange] = []
        changes.reserveCapacity(batch.messages.count)
        if !upserted.isEmpty {
            try self.connection.copyIn(EmbeddedSQL.batchMessageCopy, columnCount: 17) { rows in
                for place in upserted { try Self.append(batch.messages[place], of: batch, to: &rows) }
            }
            let changed = try self.connection.query(EmbeddedSQL.messageUpsert)
            // Rows come in the order of what was upserted, without those to which the batch added nothing.
            var places = upserted.makeIterator()
            for row in 0..<changed.count {
                let key = MessageKey(try changed.uuid(row, 0))
                var place = places.next()
                while let passed = place, batch.key(of: batch.messages[passed]) != key { place = places.next() }
                guard let place,
                    let (now, before) = MessageState.unpack(Int16(truncatingIfNeeded: try changed.int64(row, 1)))
                else { throw StoreError(.inconsistent, "the upsert returned a message that it was not given") }
                let openedAt = changed.isNull(row, 2) ? nil : try changed.timestamp(row, 2)
                changes.append(MessageChange(message: place, now: now, before: before, openedAt: openedAt))
            }
        }
        var nextKnown = known[...]
        for place in batch.messages.indices {
            if nextKnown.first?.place == place {
                nextKnown.removeFirst()
            } else {
                changes.append(batch.changeOfNew(place))
            }
        }
        if !upserted.isEmpty { changes.sort { $0.message < $1.message } }
        return changes
    }

    private static func append(
        _ message: LoadBatch.Message, of batch: LoadBatch, to rows: inout CopyRows
    ) throws(PostgresError) {
        let fields = batch.fields(of: message)
        let sentAt = StoreTime(nanoseconds: fields.sentAt)
        let launchedAt = StoreTime(nanoseconds: fields.launchedAt)
        try rows.row()
        rows.append(fields.account)
        rows.append(uuid: batch.key(of: message).value)
        rows.append(fields.campaign)
        rows.append(fields.resource)
        rows.append(fields.subscription)
        rows.append(uuid: fields.profile.value)
        rows.append(timestamp: sentAt.microseconds)
        rows.append(timestamp: launchedAt.microseconds)
        rows.append(timestampOrNull: message.ack.map { batch.events[$0].receivedAt })
        rows.append(timestampOrNull: message.open.map { batch.events[$0].receivedAt })
        rows.append(sentAt.nanos)
        rows.append(launchedAt.nanos)
        rows.append(Int16(fields.channel.rawValue))
        rows.append(Int16(fields.provider.rawValue))
        rows.append(Int16(fields.privacy.rawValue))
        rows.append(batch.state(of: message).bits)
        rows.append(fields.isTest)
    }
}

extension LoadBatch {
    func key(of message: Message) -> MessageKey {
        if let minted = message.minted { return self.mintedMessages[minted].key }
        return self.events[self.order[message.run.lowerBound]].key
    }

    func fields(of message: Message) -> SendMessageID {
        if let minted = message.minted { return self.mintedMessages[minted].message }
        return self.events[self.order[message.run.lowerBound]].event.message
    }

    /// What the message has from the batch.
    func state(of message: Message) -> MessageState {
        MessageState(
            isAcked: message.ack != nil, openClass: message.open.map { self.events[$0].event.eventClass })
    }

    /// What becomes of a message that nobody knew before.
    func changeOfNew(_ place: Int) -> MessageChange {
        let message = self.messages[place]
        return MessageChange(
            message: place, now: self.state(of: message), before: MessageState(),
            openedAt: message.open.map { self.events[$0].receivedAt })
    }

    /// What a message's row tells: which of the batch's events were its first, and what becomes of
    /// `derived`.
    mutating func markFirsts(_ change: MessageChange, _ sums: inout CountSums<BucketKey>) {
        let message = self.messages[change.message]
        if change.isFirstAck, let place = message.ack {
            self.markFirst(place)
            // It was counted as derived where its open stands; it is not any more.
            if let openClass = change.before.openClass, let openedAt = change.openedAt {
                sums[BucketKey(self.events[place].event.message, openClass, at: openedAt)].derived -= 1
            }
        }
        if change.isFirstOpen, let place = message.open {
            self.markFirst(place)
            if !change.now.isAcked { sums[self.events[place].bucketKey].derived += 1 }
        }
    }
}

extension LoadBatch.LoadedEvent {
    /// Where it counts.
    var bucketKey: BucketKey { BucketKey(self.event.message, self.event.eventClass, at: self.receivedAt) }
}
