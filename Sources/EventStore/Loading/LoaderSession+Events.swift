import MessageIDs
import Postgres

extension LoaderSession {
    /// Appends the batch's events but repeats, their first flags known. In message order: the index on message keys then takes neighbours.
    func copyEvents(_ batch: LoadBatch) throws {
        try self.connection.copyIn(EmbeddedSQL.eventLogCopy, columnCount: 12) { rows in
            let userAgents = batch.userAgents.span.bytes
            for place in batch.order where !batch.events[place].isRepeat {
                let loaded = batch.events[place]
                let event = loaded.event
                try rows.row()
                rows.append(event.message.account)
                rows.append(uuid: loaded.key.value)
                rows.append(timestamp: loaded.receivedAt)
                rows.append(timestampOrNull: event.deviceAt.map { StoreTime(nanoseconds: $0).microseconds })
                rows.append(Int16(event.kind.rawValue))
                rows.append(Int16(event.dialect.rawValue))
                rows.append(Int16(event.eventClass.rawValue))
                rows.append(Int16(event.flags.rawValue))
                rows.append(loaded.isFirst)
                rows.append(inetOrNull: event.address, length: event.addressLength)
                if loaded.userAgent.isEmpty {
                    rows.null()
                } else {
                    rows.append(bytes: userAgents.extracting(loaded.userAgent))
                }
                if let report = event.report { rows.append(uuid: report) } else { rows.null() }
            }
        }
    }

    /// Counts the batch's events but repeats, their first flags known.
    func countEvents(of batch: LoadBatch, _ sums: inout CountSums<BucketKey>) {
        for place in batch.order where !batch.events[place].isRepeat {
            let unique: Int64 = batch.events[place].isFirst ? 1 : 0
            let isAck = batch.events[place].event.kind == .ack
            func count(_ counts: inout Counts) {
                if isAck {
                    counts.acksTotal += 1
                    counts.acked += unique
                } else {
                    counts.opensTotal += 1
                    counts.opened += unique
                }
            }
            count(&sums[batch.events[place].bucketKey])
        }
    }
}

extension CopyRows {
    mutating func append(timestampOrNull microseconds: Int64?) {
        if let microseconds { self.append(timestamp: microseconds) } else { self.null() }
    }

    mutating func append(inetOrNull address: UInt128, length: Int) {
        guard length > 0 else { return self.null() }
        withUnsafeBytes(of: address.bigEndian) { bytes in
            self.append(inet: bytes.bytes.extracting((16 - length)..<16))
        }
    }
}
