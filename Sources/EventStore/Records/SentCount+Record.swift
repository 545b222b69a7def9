import MessageIDs

extension SentCount {
    /// Appends the spool record. Allocates nothing when `bytes` has room.
    package func appendRecord(to bytes: inout [UInt8]) {
        ByteWriter.append(to: &bytes, atMost: RecordFormat.sentCountBytes + RecordFormat.requestBytes) { record in
            record.append(RecordFormat.sentCountVersion1)
            record.append(
                (self.isTest ? RecordFormat.sentIsTest : 0) | (self.request == nil ? 0 : RecordFormat.sentHasRequest))
            record.append(self.channel.rawValue)
            record.append(self.provider.rawValue)
            record.append(littleEndian: self.launch.account)
            record.append(littleEndian: self.launch.campaign)
            record.append(littleEndian: self.launch.launchedAt)
            record.append(littleEndian: self.resource)
            record.append(littleEndian: self.sentAt)
            record.append(littleEndian: self.count)
            if let request = self.request { record.append(littleEndian: request) }
        }
    }
}
