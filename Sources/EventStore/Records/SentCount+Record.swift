import MessageIDs

extension SentCount {
    /// Appends the spool record. Allocates nothing when `bytes` has room.
    package func appendRecord(to bytes: inout [UInt8]) {
        bytes.append(RecordFormat.sentCountVersion1)
        bytes.append(
            (self.isTest ? RecordFormat.sentIsTest : 0) | (self.request == nil ? 0 : RecordFormat.sentHasRequest))
        bytes.append(self.channel.rawValue)
        bytes.append(self.provider.rawValue)
        RecordFormat.append(self.launch.account, to: &bytes)
        RecordFormat.append(self.launch.campaign, to: &bytes)
        RecordFormat.append(self.launch.launchedAt, to: &bytes)
        RecordFormat.append(self.resource, to: &bytes)
        RecordFormat.append(self.sentAt, to: &bytes)
        RecordFormat.append(self.count, to: &bytes)
        if let request = self.request { RecordFormat.append(request, to: &bytes) }
    }
}
