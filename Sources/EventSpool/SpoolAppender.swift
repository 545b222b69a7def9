/// Gathers one thread's records; a group shares one sync. Owned by one thread.
package final class SpoolAppender {
    private let inbox: SpoolInbox
    private let outbox: SpoolOutbox
    private let groupBytesMax: Int
    private let recordBytesMax: Int
    private var open: RecordGroup
    /// Groups that were filled since the last `submit`.
    private var filled: [RecordGroup] = []
    private var spares: [RecordGroup] = []
    private var taken = SpoolOutbox.Content()

    init(inbox: SpoolInbox, configuration: SpoolConfiguration, wake: @escaping @Sendable () -> Void) {
        self.inbox = inbox
        self.outbox = SpoolOutbox(wake: wake)
        self.groupBytesMax = configuration.groupBytesMax
        self.recordBytesMax = configuration.recordBytesMax
        self.open = RecordGroup(outbox: self.outbox)
    }

    /// Copies the record into the open group. No system call, no lock, no allocation when the buffer has room.
    ///
    /// A record has 1 … `SpoolConfiguration.recordBytesMax` bytes. A group that grows beyond 256 KiB (a quarter of a
    /// segment where that is less) is divided, and each part has its own outcome.
    package func append(_ record: RawSpan) {
        record.withUnsafeBytes { self.append($0) }
    }

    func append(_ record: UnsafeRawBufferPointer) {
        self.append(bytesMax: record.count) { target in
            if let source = record.baseAddress { target.copyMemory(from: source, byteCount: record.count) }
            return record.count
        }
    }

    /// The same for a record that is written where it will lie: `write` is given room for `bytesMax` bytes and says how
    /// many it wrote.
    package func append(bytesMax: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        precondition(
            bytesMax > 0 && bytesMax <= self.recordBytesMax,
            "a spool record has 1 … \(self.recordBytesMax) bytes, not \(bytesMax)")
        if self.open.byteCount + Frame.headerBytes + bytesMax > self.groupBytesMax {
            self.filled.append(self.open)
            self.open = self.spare()
        }
        self.open.append(bytesMax: bytesMax, write)
    }

    /// Hands the open group to the writer; nothing when it is empty. One short lock and at most one wake-up.
    ///
    /// - Parameter asOne: All groups since the last `submit` share one fate, as far as room is concerned: a spool that is full
    ///   takes all of them or none.
    /// - Returns: nil; or, when all is refused at once (closed, or too much waits), how many records that are: every one
    ///   since the last `submit`. They have no outcome in `takeResults`: it would overtake those of earlier groups, which
    ///   still wait for the disk.
    package func submit(asOne: Bool = false) -> (count: Int, refusal: SpoolRefusal)? {
        guard self.open.byteCount > 0 else { return nil }
        self.filled.append(self.open)
        self.open = self.spare()
        if asOne { self.bind() }
        defer { self.filled.removeAll(keepingCapacity: true) }
        let refusal = self.inbox.push(&self.filled)
        var count = 0
        for group in self.filled {
            count += group.records
            group.removeAll()
            if self.spares.count < SpoolOutbox.sparesMax { self.spares.append(group) }
        }
        return refusal.map { (count, $0) }
    }

    private func bind() {
        var bytesBehind = 0
        for index in self.filled.indices.reversed() {
            self.filled[index].bytesBehind = bytesBehind
            self.filled[index].isContinued = index > 0
            bytesBehind += self.filled[index].byteCount
        }
    }

    /// The outcomes since the last call, oldest first: `count` records, in the order of `append`, and nil or why not.
    package func takeResults(_ body: (_ count: Int, _ refusal: SpoolRefusal?) -> Void) {
        self.outbox.exchange(&self.taken)
        for spare in self.taken.spares where self.spares.count < SpoolOutbox.sparesMax { self.spares.append(spare) }
        for outcome in self.taken.outcomes { body(outcome.count, outcome.refusal) }
    }

    private func spare() -> RecordGroup { self.spares.popLast() ?? RecordGroup(outbox: self.outbox) }
}
