import MessageIDs

extension StoredRecord {
    static func event(_ record: RawSpan, isNamed: Bool) throws(RecordError) -> StoredRecord {
        let deviceTimeAt = RecordFormat.eventHeaderBytes + (isNamed ? RecordFormat.reportBytes : 0)
        guard record.byteCount >= deviceTimeAt else { throw RecordError("an event cut short") }
        let head = try EventHead(record)
        let bodyLength = Int(RecordFormat.load(UInt8.self, from: record, at: EventHead.bytes))
        let addressAt = deviceTimeAt + (head.hasDeviceTime ? 8 : 0)
        let bodyAt = addressAt + head.addressLength
        let userAgentAt = bodyAt + bodyLength
        try self.checkUserAgent(of: record, at: userAgentAt)
        let event = Event(
            kind: head.kind, message: try self.message(record.extracting(bodyAt..<userAgentAt)),
            receivedAt: RecordFormat.load(UInt64.self, from: record, at: EventHead.bytes + 1),
            deviceAt: head.hasDeviceTime ? RecordFormat.load(UInt64.self, from: record, at: deviceTimeAt) : nil,
            dialect: head.dialect, eventClass: head.eventClass, flags: head.flags, addressLength: head.addressLength,
            address: RecordFormat.loadAddress(from: record, addressAt..<bodyAt),
            report: isNamed ? RecordFormat.load(UInt128.self, from: record, at: RecordFormat.eventHeaderBytes) : nil)
        return .event(event, userAgentOffset: userAgentAt)
    }

    static func keyedEvent(_ record: RawSpan, isNamed: Bool) throws(RecordError) -> StoredRecord {
        let reportAt = RecordFormat.keyedEventHeaderBytes
        let deviceTimeAt = reportAt + (isNamed ? RecordFormat.reportBytes : 0)
        guard record.byteCount >= deviceTimeAt else { throw RecordError("an event cut short") }
        let head = try EventHead(record)
        let addressAt = deviceTimeAt + (head.hasDeviceTime ? 8 : 0)
        let userAgentAt = addressAt + head.addressLength
        try self.checkUserAgent(of: record, at: userAgentAt)
        let account = RecordFormat.load(Int64.self, from: record, at: EventHead.bytes + 8)
        guard account >= 1 else { throw RecordError("an account below 1") }
        let event = KeyedEvent(
            kind: head.kind, account: account,
            key: MessageKey(RecordFormat.load(UInt128.self, from: record, at: EventHead.bytes + 16)),
            receivedAt: RecordFormat.load(UInt64.self, from: record, at: EventHead.bytes),
            deviceAt: head.hasDeviceTime ? RecordFormat.load(UInt64.self, from: record, at: deviceTimeAt) : nil,
            dialect: head.dialect, eventClass: head.eventClass, flags: head.flags, addressLength: head.addressLength,
            address: RecordFormat.loadAddress(from: record, addressAt..<userAgentAt),
            report: isNamed ? RecordFormat.load(UInt128.self, from: record, at: reportAt) : nil)
        return .keyedEvent(event, userAgentOffset: userAgentAt)
    }

    private static func checkUserAgent(of record: RawSpan, at offset: Int) throws(RecordError) {
        guard record.byteCount >= offset else { throw RecordError("an event cut short") }
        guard UserAgentText.isClean(record.extracting(offset..<record.byteCount)) else {
            throw RecordError("a user agent that is not clean")
        }
    }
}
