/// Framed records that share one fate: all durable or all refused. The buffer is used again and again.
///
/// Owned by one thread at a time: the appender's, then (through the inbox's lock) the writer's, then (through the
/// outbox's lock) the appender's again.
final class RecordGroup: @unchecked Sendable {
    // Handed over under locks as described above; never touched by two threads at a time.
    private(set) var records = 0
    private(set) var byteCount = 0
    private var capacity: Int
    private var storage: UnsafeMutableRawPointer
    let outbox: SpoolOutbox
    /// Bytes of the groups behind it that share its fate: they must have room too.
    var bytesBehind = 0
    /// The group before it shares its fate: once that one is refused, so is this.
    var isContinued = false

    private static let capacityFirst = 16 << 10

    init(outbox: SpoolOutbox) {
        self.outbox = outbox
        self.capacity = Self.capacityFirst
        self.storage = .allocate(byteCount: Self.capacityFirst, alignment: 16)
    }

    deinit { self.storage.deallocate() }

    var bytes: UnsafeMutableRawBufferPointer { .init(start: self.storage, count: self.byteCount) }

    /// Appends a frame whose payload `write` writes: 1 … `bytesMax` bytes.
    func append(bytesMax: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        let needed = self.byteCount + Frame.headerBytes + bytesMax
        if needed > self.capacity { self.grow(toHold: needed) }
        let frame = self.storage + self.byteCount
        let count = write(frame + Frame.headerBytes)
        precondition(count > 0 && count <= bytesMax, "a record of \(count) bytes was written into \(bytesMax)")
        Frame.writeHeader(to: frame, payloadBytes: count)
        self.byteCount += Frame.headerBytes + count
        self.records += 1
    }

    /// Moves the other's records behind its own.
    func takeRecords(of other: RecordGroup) {
        if self.byteCount + other.byteCount > self.capacity { self.grow(toHold: self.byteCount + other.byteCount) }
        (self.storage + self.byteCount).copyMemory(from: other.storage, byteCount: other.byteCount)
        self.byteCount += other.byteCount
        self.records += other.records
        other.removeAll()
    }

    func removeAll() {
        self.records = 0
        self.byteCount = 0
        self.bytesBehind = 0
        self.isContinued = false
    }

    private func grow(toHold needed: Int) {
        var capacity = self.capacity
        while capacity < needed { capacity *= 2 }
        let storage = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        storage.copyMemory(from: self.storage, byteCount: self.byteCount)
        self.storage.deallocate()
        self.storage = storage
        self.capacity = capacity
    }
}
