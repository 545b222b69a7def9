import MessageIDs

extension StoredRecord {
    static func event(_ record: RawSpan) throws(RecordError) -> StoredRecord {
        guard record.byteCount >= RecordFormat.eventHeaderBytes else { throw RecordError("an event cut short") }
        let head = try EventHead(record)
        let bodyLength = Int(RecordFormat.load(UInt8.self, from: record, at: EventHead.bytes))
        let addressAt = RecordFormat.eventHeaderBytes + (head.hasDeviceTime ? 8 : 0)
        let bodyAt = addressAt + head.addressLength
        let userAgentAt = bodyAt + bodyLength
        try self.checkUserAgent(of: record, at: userAgentAt)
        let event = Event(
            kind: head.kind, message: try self.message(record.extracting(bodyAt..<userAgentAt)),
            receivedAt: RecordFormat.load(UInt64.self, from: record, at: EventHead.bytes + 1),
            deviceAt: head.hasDeviceTime
                ? RecordFormat.load(UInt64.self, from: record, at: RecordFormat.eventHeaderBytes) : nil,
            dialect: head.dialect, eventClass: head.eventClass, flags: head.flags, addressLength: head.addressLength,
            address: RecordFormat.loadAddress(from: record, addressAt..<bodyAt))
        return .event(event, userAgentOffset: userAgentAt)
    }

    static func keyedEvent(_ record: RawSpan) throws(RecordError) -> StoredRecord {
        guard record.byteCount >= RecordFormat.keyedEventHeaderBytes else { throw RecordError("an event cut short") }
        let head = try EventHead(record)
        let addressAt = RecordFormat.keyedEventHeaderBytes + (head.hasDeviceTime ? 8 : 0)
        let userAgentAt = addressAt + head.addressLength
        try self.checkUserAgent(of: record, at: userAgentAt)
        let account = RecordFormat.load(Int64.self, from: record, at: EventHead.bytes + 8)
        guard account >= 1 else { throw RecordError("an account below 1") }
        let event = KeyedEvent(
            kind: head.kind, account: account,
            key: MessageKey(RecordFormat.load(UInt128.self, from: record, at: EventHead.bytes + 16)),
            receivedAt: RecordFormat.load(UInt64.self, from: record, at: EventHead.bytes),
            deviceAt: head.hasDeviceTime
                ? RecordFormat.load(UInt64.self, from: record, at: RecordFormat.keyedEventHeaderBytes) : nil,
            dialect: head.dialect, eventClass: head.eventClass, flags: head.flags, addressLength: head.addressLength,
            address: RecordFormat.loadAddress(from: record, addressAt..<userAgentAt))
        return .keyedEvent(event, userAgentOffset: userAgentAt)
    }

    private static func checkUserAgent(of record: RawSpan, at offset: Int) throws(RecordError) {
        guard record.byteCount >= offset else { throw RecordError("an event cut short") }
        guard UserAgentText.isClean(record.extracting(offset..<record.byteCount)) else {
            throw RecordError("a user agent that is not clean")
        }
    }
}
