import MessageIDs

extension Event {
    /// Appends the spool record; `userAgent` is cut to 512 bytes and cleaned to valid UTF-8 without NUL. Allocates
    /// nothing when `bytes` has room.
    package func appendRecord(userAgent: RawSpan, to bytes: inout [UInt8]) {
        ByteWriter.append(to: &bytes, atMost: Self.recordBytesMax) { self.write(userAgent: userAgent, to: &$0) }
    }

    /// Writes the same into memory of ``recordBytesMax`` bytes; returns how many were written.
    package func writeRecord(userAgent: RawSpan, to memory: UnsafeMutableRawPointer) -> Int {
        var record = ByteWriter(memory, capacity: Self.recordBytesMax)
        self.write(userAgent: userAgent, to: &record)
        return record.count
    }

    private func write(userAgent: RawSpan, to record: inout ByteWriter) {
        // The single bytes at once; the last of them, the body's length, is known when the body is there.
        let version = self.report == nil ? RecordFormat.eventVersion1 : RecordFormat.namedEventVersion1
        var head = UInt64(version) | UInt64(self.kind.rawValue) << 8 | UInt64(self.dialect.rawValue) << 16
        head |= UInt64(self.eventClass.rawValue) << 24 | UInt64(self.flags.rawValue) << 32
        head |= UInt64(truncatingIfNeeded: self.addressLength) << 40 | (self.deviceAt == nil ? 0 : 1) << 48
        record.append(littleEndian: head)
        let bodyLengthAt = record.count - 1
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
