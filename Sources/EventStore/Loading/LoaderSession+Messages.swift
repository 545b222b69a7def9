import MessageIDs
import Postgres

extension LoaderSession {
    /// Writes the batch's distinct messages; what that changed, in their order.
    func upsertMessages(of batch: LoadBatch) throws -> [MessageChange] {
        guard !batch.messages.isEmpty else { return [] }
        try self.connection.copyIn(EmbeddedSQL.batchMessageCopy, columnCount: 17) { rows in
            for message in batch.messages { try Self.append(message, of: batch, to: &rows) }
        }
        let changed = try self.connection.query(EmbeddedSQL.messageUpsert)
        var changes: [MessageChange] = []
        changes.reserveCapacity(changed.count)
        // Rows come in the order of `messages`, without those to which the batch added nothing.
        var next = 0
        for row in 0..<changed.count {
            let key = MessageKey(try changed.uuid(row, 0))
            while next < batch.messages.count, batch.key(of: batch.messages[next]) != key { next += 1 }
            guard next < batch.messages.count,
                let (now, before) = MessageState.unpack(Int16(truncatingIfNeeded: try changed.int64(row, 1)))
            else { throw StoreError(.inconsistent, "the upsert returned a message that it was not given") }
            let openedAt = changed.isNull(row, 2) ? nil : try changed.timestamp(row, 2)
            changes.append(MessageChange(message: next, now: now, before: before, openedAt: openedAt))
            next += 1
        }
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
        rows.append(
            MessageState(
                isAcked: message.ack != nil, openClass: message.open.map { batch.events[$0].event.eventClass }
            ).bits)
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
