import MessageIDs

extension KeyedEvent {
    /// Appends the spool record; `userAgent` is cut to 512 bytes and cleaned to valid UTF-8 without NUL. Allocates
    /// nothing when `bytes` has room for `recordBytesMax` more.
    package func appendRecord(userAgent: RawSpan, to bytes: inout [UInt8]) {
        bytes.append(self.report == nil ? RecordFormat.keyedEventVersion1 : RecordFormat.namedKeyedEventVersion1)
        bytes.append(self.kind.rawValue)
        bytes.append(self.dialect.rawValue)
        bytes.append(self.eventClass.rawValue)
        bytes.append(self.flags.rawValue)
        bytes.append(UInt8(self.addressLength))
        bytes.append(self.deviceAt == nil ? 0 : 1)
        RecordFormat.append(self.receivedAt, to: &bytes)
        RecordFormat.append(self.account, to: &bytes)
        RecordFormat.append(self.key.value, to: &bytes)
        if let report = self.report { RecordFormat.append(report, to: &bytes) }
        if let deviceAt = self.deviceAt { RecordFormat.append(deviceAt, to: &bytes) }
        RecordFormat.append(address: self.address, length: self.addressLength, to: &bytes)
        UserAgentText.appendCleaned(userAgent, to: &bytes)
    }

    /// No record is longer.
    package static let recordBytesMax =
        RecordFormat.keyedEventHeaderBytes + RecordFormat.reportBytes + 8 + 16 + UserAgentText.bytesMax
}
