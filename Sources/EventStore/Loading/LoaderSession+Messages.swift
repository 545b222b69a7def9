import MessageIDs
import Postgres

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
                guard knownNow.count > known.count else { throw error }
                known = knownNow
            }
        }
    }

    /// Places in `messages` of those that the database has, in order.
    private func findKnown(_ batch: LoadBatch) throws -> [Int] {
        let known = try self.connection.query(
            EmbeddedSQL.messageFindKnown, [.uuidArray(batch.messages.map { batch.key(of: $0).value })])
        return try (0..<known.count).map { Int(try known.int64($0, 0)) - 1 }.sorted()
    }

    private func copyNew(of batch: LoadBatch, but known: [Int]) throws {
        guard known.count < batch.messages.count else { return }
        try self.connection.copyIn(EmbeddedSQL.messageCopy, columnCount: 17) { rows in
            var nextKnown = known[...]
            for place in batch.messages.indices {
                if nextKnown.first == place {
                    nextKnown.removeFirst()
                } else {
                    try Self.append(batch.messages[place], of: batch, to: &rows)
                }
            }
        }
    }

    /// Upserts the known messages; the changes of all.
    private func upsert(_ known: [Int], of batch: LoadBatch) throws -> [MessageChange] {
        var changes: [MessageChange] = []
        changes.reserveCapacity(batch.messages.count)
        var next = 0
        func addNew(before place: Int) {
            while next < place {
                changes.append(batch.changeOfNew(next))
                next += 1
            }
        }
        if !known.isEmpty {
            try self.connection.copyIn(EmbeddedSQL.batchMessageCopy, columnCount: 17) { rows in
                for place in known { try Self.append(batch.messages[place], of: batch, to: &rows) }
            }
            let changed = try self.connection.query(EmbeddedSQL.messageUpsert)
            // Rows come in the order of `known`, without those to which the batch added nothing.
            var row = 0
            for place in known {
                addNew(before: place)
                next = place + 1
                guard row < changed.count, MessageKey(try changed.uuid(row, 0)) == batch.key(of: batch.messages[place])
                else {
                    continue
                }
                guard let (now, before) = MessageState.unpack(Int16(truncatingIfNeeded: try changed.int64(row, 1)))
                else { throw StoreError(.inconsistent, "the upsert returned a state that no message has") }
                let openedAt = changed.isNull(row, 2) ? nil : try changed.timestamp(row, 2)
                changes.append(MessageChange(message: place, now: now, before: before, openedAt: openedAt))
                row += 1
            }
            guard row == changed.count else {
                throw StoreError(.inconsistent, "the upsert returned a message that it was not given")
            }
        }
        addNew(before: batch.messages.count)
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

    /// What a message's row tells: which of the batch's events were its first, which are marked and counted, and what becomes
    /// of `derived`.
    mutating func countFirsts(_ change: MessageChange, _ sums: inout CountSums<BucketKey>) {
        let message = self.messages[change.message]
        if change.isFirstAck, let place = message.ack {
            let ack = self.events[place]
            self.markFirst(place)
            sums[BucketKey(ack.event.message, ack.event.eventClass, at: ack.receivedAt)].acked += 1
            // It was counted as derived where its open stands; it is not any more.
            if let openClass = change.before.openClass, let openedAt = change.openedAt {
                sums[BucketKey(ack.event.message, openClass, at: openedAt)].derived -= 1
            }
        }
        if change.isFirstOpen, let place = message.open {
            let open = self.events[place]
            self.markFirst(place)
            let key = BucketKey(open.event.message, open.event.eventClass, at: open.receivedAt)
            sums[key].opened += 1
            if !change.now.isAcked { sums[key].derived += 1 }
        }
    }
}
