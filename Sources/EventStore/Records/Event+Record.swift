import MessageIDs

extension Event {
    /// Appends the spool record; `userAgent` is cut to 512 bytes and cleaned to valid UTF-8 without NUL. Allocates
    /// nothing when `bytes` has room for `recordBytesMax` more.
    package func appendRecord(userAgent: RawSpan, to bytes: inout [UInt8]) {
        bytes.append(self.report == nil ? RecordFormat.eventVersion1 : RecordFormat.namedEventVersion1)
        bytes.append(self.kind.rawValue)
        bytes.append(self.dialect.rawValue)
        bytes.append(self.eventClass.rawValue)
        bytes.append(self.flags.rawValue)
        bytes.append(UInt8(self.addressLength))
        bytes.append(self.deviceAt == nil ? 0 : 1)
        let bodyLengthAt = bytes.count
        bytes.append(0)
        RecordFormat.append(self.receivedAt, to: &bytes)
        if let report = self.report { RecordFormat.append(report, to: &bytes) }
        if let deviceAt = self.deviceAt { RecordFormat.append(deviceAt, to: &bytes) }
        RecordFormat.append(address: self.address, length: self.addressLength, to: &bytes)
        let bodyAt = bytes.count
        self.message.appendBody(to: &bytes)
        bytes[bodyLengthAt] = UInt8(bytes.count - bodyAt)
        UserAgentText.appendCleaned(userAgent, to: &bytes)
    }

    /// No record is longer.
    package static let recordBytesMax =
        RecordFormat.eventHeaderBytes + RecordFormat.reportBytes + 8 + 16 + 255 + UserAgentText.bytesMax
}
