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

    func countTotals(of batch: LoadBatch, _ sums: inout CountSums<BucketKey>) {
        for place in batch.order where !batch.events[place].isRepeat {
            let loaded = batch.events[place]
            let key = BucketKey(loaded.event.message, loaded.event.eventClass, at: loaded.receivedAt)
            switch loaded.event.kind {
            case .ack: sums[key].acksTotal += 1
            case .open: sums[key].opensTotal += 1
            }
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
