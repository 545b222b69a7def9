import MessageIDs

extension KeyedEvent {
    /// Appends the spool record; `userAgent` is cut to 512 bytes and cleaned to valid UTF-8 without NUL. Allocates
    /// nothing when `bytes` has room.
    package func appendRecord(userAgent: RawSpan, to bytes: inout [UInt8]) {
        ByteWriter.append(to: &bytes, atMost: Self.recordBytesMax) { self.write(userAgent: userAgent, to: &$0) }
    }

    private func write(userAgent: RawSpan, to record: inout ByteWriter) {
        record.append(self.report == nil ? RecordFormat.keyedEventVersion1 : RecordFormat.namedKeyedEventVersion1)
        record.append(self.kind.rawValue)
        record.append(self.dialect.rawValue)
        record.append(self.eventClass.rawValue)
        record.append(self.flags.rawValue)
        record.append(UInt8(truncatingIfNeeded: self.addressLength))
        record.append(self.deviceAt == nil ? 0 : 1)
        record.append(littleEndian: self.receivedAt)
        record.append(littleEndian: self.account)
        record.append(littleEndian: self.key.value)
        if let report = self.report { record.append(littleEndian: report) }
        if let deviceAt = self.deviceAt { record.append(littleEndian: deviceAt) }
        record.append(bigEndian: self.address, count: self.addressLength)
        UserAgentText.appendCleaned(userAgent, to: &record)
    }

    /// No record is longer.
    package static let recordBytesMax =
        RecordFormat.keyedEventHeaderBytes + RecordFormat.reportBytes + 8 + 16 + UserAgentText.bytesMax
}
