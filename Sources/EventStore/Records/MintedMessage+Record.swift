import MessageIDs

extension MintedMessage {
    /// Appends the spool record. Allocates nothing when `bytes` has room for `recordBytesMax` more.
    package func appendRecord(to bytes: inout [UInt8]) {
        bytes.append(RecordFormat.mintedMessageVersion1)
        self.message.appendBody(to: &bytes)
    }

    /// No record is longer.
    package static let recordBytesMax = 1 + SendMessageID.bodyBytesMax
}
