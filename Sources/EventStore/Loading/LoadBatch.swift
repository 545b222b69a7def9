import MessageIDs

/// The records of one transaction, decoded and grouped by message. Buffers are kept from batch to batch.
struct LoadBatch {
    struct LoadedEvent {
        var event: Event
        var key: MessageKey
        /// Its user agent's place in `userAgents`.
        var userAgent: Range<Int>
        /// UNIX microseconds.
        var receivedAt: Int64
        var isFirst = false
        /// Its report is stored, or in the batch before it: it is neither stored nor counted.
        var isRepeat = false
    }

    /// An event whose message is not known by it.
    struct LoadedKeyedEvent {
        var event: KeyedEvent
        /// Its user agent's place in `userAgents`.
        var userAgent: Range<Int>
        /// UNIX microseconds.
        var receivedAt: Int64
    }

    /// A message and its key, which takes a hash to find.
    struct KeyedMessage {
        var message: SendMessageID
        var key: MessageKey
        var name: MessageName { MessageName(account: self.message.account, key: self.key) }
    }

    /// A record that could not be read.
    struct RefusedRecord {
        /// Its place among the batch's records.
        var index: Int
        var bytes: [UInt8]
        var reason: String
    }

    /// A distinct message: a run of `order`, which is empty when it was only minted, and what it got from the batch.
    struct Message {
        var run: Range<Int>
        /// Place in `mintedMessages` when it is there, too.
        var minted: Int?
        /// Place in `events` of its first ack, if it has one.
        var ack: Int?
        /// Place in `events` of its first open that counts, if it has one.
        var open: Int?
    }

    /// Spool position of the first record.
    private(set) var begin: UInt64 = 0
    private(set) var recordCount = 0
    private(set) var events: [LoadedEvent] = []
    /// Whether one of `events` has a report with a name.
    private(set) var hasReports = false
    /// Those of `events` that repeat a report.
    private(set) var repeatCount = 0
    var newEventCount: Int { self.events.count - self.repeatCount }
    /// After `match`, those without a message.
    private(set) var keyedEvents: [LoadedKeyedEvent] = []
    private(set) var sentCounts: [SentCount] = []
    private(set) var mintedMessages: [KeyedMessage] = []
    private(set) var refused: [RefusedRecord] = []
    private(set) var userAgents: [UInt8] = []
    /// Places in `events`, ascending; without repeats known before. After `group`, which puts the events in order.
    private(set) var order: [Int] = []
    /// By key and account. After `group`.
    private(set) var messages: [Message] = []
    /// The bytes of the last record, kept when the batch is to be a single one: it may have to go to quarantine.
    private(set) var lastRecord: [UInt8] = []
    private var keepsRecord = false
    private var sortKeys: [SortKey] = []
    /// What `events` were before they were put in order.
    private var unordered: [LoadedEvent] = []

    mutating func reset(begin: UInt64, keepsRecord: Bool) {
        self.begin = begin
        self.keepsRecord = keepsRecord
        self.recordCount = 0
        self.events.removeAll(keepingCapacity: true)
        self.hasReports = false
        self.repeatCount = 0
        self.keyedEvents.removeAll(keepingCapacity: true)
        self.sentCounts.removeAll(keepingCapacity: true)
        self.mintedMessages.removeAll(keepingCapacity: true)
        self.refused.removeAll()
        self.userAgents.removeAll(keepingCapacity: true)
        self.order.removeAll(keepingCapacity: true)
        self.messages.removeAll(keepingCapacity: true)
        self.lastRecord.removeAll()
    }

    mutating func append(_ record: RawSpan) {
        defer { self.recordCount += 1 }
        if self.keepsRecord { self.lastRecord = Self.bytes(of: record) }
        do throws(RecordError) {
            switch try StoredRecord(record) {
            case .event(let event, let userAgentOffset):
                if event.report != nil { self.hasReports = true }
                self.events.append(
                    LoadedEvent(
                        event: event, key: event.message.messageKey,
                        userAgent: self.keepUserAgent(of: record, at: userAgentOffset),
                        receivedAt: StoreTime(nanoseconds: event.receivedAt).microseconds))
            case .keyedEvent(let event, let userAgentOffset):
                self.keyedEvents.append(
                    LoadedKeyedEvent(
                        event: event, userAgent: self.keepUserAgent(of: record, at: userAgentOffset),
                        receivedAt: StoreTime(nanoseconds: event.receivedAt).microseconds))
            case .sentCount(let sent):
                self.sentCounts.append(sent)
            case .mintedMessage(let minted):
                self.mintedMessages.append(
                    KeyedMessage(message: minted.message, key: minted.message.messageKey))
            }
        } catch {
            self.refused.append(
                RefusedRecord(index: self.recordCount, bytes: Self.bytes(of: record), reason: error.description))
        }
    }

    private mutating func keepUserAgent(of record: RawSpan, at begin: Int) -> Range<Int> {
        let kept = self.userAgents.count
        record.extracting(begin..<record.byteCount).withUnsafeBytes { self.userAgents.append(contentsOf: $0) }
        return kept..<self.userAgents.count
    }

    mutating func markFirst(_ event: Int) { self.events[event].isFirst = true }

    mutating func markRepeat(_ event: Int) {
        guard !self.events[event].isRepeat else { return }
        self.events[event].isRepeat = true
        self.repeatCount += 1
    }

    private static func bytes(of record: RawSpan) -> [UInt8] { record.withUnsafeBytes { Array($0) } }
}

extension LoadBatch {
    /// The messages of keyed events that the batch itself does not mint, each once, in order.
    var namesToFind: [MessageName] {
        var names = Set(self.keyedEvents.lazy.map(\.event.messageName))
        for minted in self.mintedMessages { names.remove(minted.name) }
        return names.sorted()
    }

    /// Makes ordinary events of the keyed ones whose message is among those found or minted by the batch, and applies the
    /// message's privacy. The others stay as they are. Before `group`.
    mutating func match(_ found: [MessageName: SendMessageID]) {
        guard !self.keyedEvents.isEmpty else { return }
        var messages = found
        for minted in self.mintedMessages { messages[minted.name] = minted.message }
        var unmatched: [LoadedKeyedEvent] = []
        for loaded in self.keyedEvents {
            guard let message = messages[loaded.event.messageName] else {
                unmatched.append(loaded)
                continue
            }
            if loaded.event.report != nil { self.hasReports = true }
            self.events.append(
                LoadedEvent(
                    event: loaded.event.event(of: message), key: loaded.event.key,
                    userAgent: message.privacy.keepsUserAgent ? loaded.userAgent : 0..<0,
                    receivedAt: loaded.receivedAt))
        }
        self.keyedEvents = unmatched
    }
}

extension LoadBatch {
    private struct SortKey {
        var account: Int64
        var key: UInt128
        /// Of an event; of a minted message its place's complement, which stands before every event.
        var place: Int32
    }

    /// Puts the events in order of message key and account, then of arrival, and finds what each message got, minted ones
    /// too. The order is the database's, of uuid and bigint. The events themselves are moved, once: they are read several times then,
    /// and a batch is larger than a processor's cache.
    mutating func group() {
        self.order.removeAll(keepingCapacity: true)
        self.messages.removeAll(keepingCapacity: true)
        self.sortKeys.removeAll(keepingCapacity: true)
        for (place, loaded) in self.events.enumerated() {
            self.sortKeys.append(
                SortKey(account: loaded.event.message.account, key: loaded.key.value, place: Int32(place)))
        }
        for (place, minted) in self.mintedMessages.enumerated() {
            self.sortKeys.append(
                SortKey(account: minted.message.account, key: minted.key.value, place: ~Int32(place)))
        }
        self.sortKeys.sort { left, right in
            if left.key != right.key { return left.key < right.key }
            return (left.account, left.place) < (right.account, right.place)
        }
        swap(&self.events, &self.unordered)
        self.events.removeAll(keepingCapacity: true)
        var runBegin = 0
        var minted: Int?
        for index in self.sortKeys.indices {
            let sorted = self.sortKeys[index]
            if sorted.place < 0 {
                minted = Int(~sorted.place)
            } else {
                let loaded = self.unordered[Int(sorted.place)]
                if !loaded.isRepeat { self.order.append(self.events.count) }
                self.events.append(loaded)
            }
            let isLast = index + 1 == self.sortKeys.count
            let next = isLast ? sorted : self.sortKeys[index + 1]
            guard isLast || next.key != sorted.key || next.account != sorted.account else { continue }
            let run = runBegin..<self.order.count
            if minted != nil || !run.isEmpty { self.messages.append(self.message(of: run, minted: minted)) }
            runBegin = self.order.count
            minted = nil
        }
    }

    private func message(of run: Range<Int>, minted: Int?) -> Message {
        var message = Message(run: run, minted: minted)
        for index in run {
            let place = self.order[index]
            let event = self.events[place].event
            switch event.kind {
            case .ack: if message.ack == nil { message.ack = place }
            case .open: if message.open == nil && event.counts { message.open = place }
            }
        }
        return message
    }
}
