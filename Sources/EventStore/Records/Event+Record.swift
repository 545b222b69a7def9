import MessageIDs

extension Event {
    /// Appends the spool record; `userAgent` is cut to 512 bytes and cleaned to valid UTF-8 without NUL. Allocates
    /// nothing when `bytes` has room.
    package func appendRecord(userAgent: RawSpan, to bytes: inout [UInt8]) {
        ByteWriter.append(to: &bytes, atMost: Self.recordBytesMax) { self.write(userAgent: userAgent, to: &$0) }
    }

    /// Writes the same into memory of ``recordBytesMax`` bytes; how many they are.
    package func writeRecord(userAgent: RawSpan, to memory: UnsafeMutableRawPointer) -> Int {
        var record = ByteWriter(memory, capacity: Self.recordBytesMax)
        self.write(userAgent: userAgent, to: &record)
        return record.count
    }

    private func write(userAgent: RawSpan, to record: inout ByteWriter) {
        record.append(self.report == nil ? RecordFormat.eventVersion1 : RecordFormat.namedEventVersion1)
        record.append(self.kind.rawValue)
        record.append(self.dialect.rawValue)
        record.append(self.eventClass.rawValue)
        record.append(self.flags.rawValue)
        record.append(UInt8(truncatingIfNeeded: self.addressLength))
        record.append(self.deviceAt == nil ? 0 : 1)
        let bodyLengthAt = record.count
        record.append(0)
        record.append(littleEndian: self.receivedAt)
        if let report = self.report { record.append(littleEndian: report) }
        if let deviceAt = self.deviceAt { record.append(littleEndian: deviceAt) }
        record.append(bigEndian: self.address, count: self.addressLength)
        let bodyAt = record.count
        self.message.appendBody(to: &record)
        record[bodyLengthAt] = UInt8(truncatingIfNeeded: record.count - bodyAt)
        UserAgentText.appendCleaned(userAgent, to: &record)
    }

    /// No record is longer.
    package static let recordBytesMax =
        RecordFormat.eventHeaderBytes + RecordFormat.reportBytes + 8 + 16 + SendMessageID.bodyBytesMax
        + UserAgentText.bytesMax
}
