/// The one thread that writes: takes all groups that wait, writes them with one call, syncs once, tells the appenders.
///
/// Used by its thread only; what others may know is in the ledger.
final class SpoolWriter {
    private let inbox: SpoolInbox
    private let ledger: SpoolLedger
    private let folder: SpoolFolder
    private let configuration: SpoolConfiguration

    private var segment: Segment
    private var file: Int32
    /// Where the next frame goes.
    private var tail: UInt64
    private var isSealed: Bool
    private var hasFailed = false
    /// A write failed for want of room and may have left bytes up to here; nothing is accepted before they are zeros again.
    private var brokenEnd: UInt64?
    private var repairAt: UInt64?

    /// Why the groups before the present one, whose fate it shares, were refused.
    private var refusalBefore: SpoolRefusal?

    private var pace = SyncPace()

    /// Stamped and not yet written.
    private var batch: [RecordGroup] = []
    private var pieces: [UnsafeRawBufferPointer] = []
    private var batchBytes = 0
    private var toWake: [SpoolOutbox] = []
    private let seal = UnsafeMutableRawBufferPointer.allocate(byteCount: Frame.headerBytes, alignment: 8)

    init(
        inbox: SpoolInbox, ledger: SpoolLedger, folder: SpoolFolder, configuration: SpoolConfiguration,
        segment: Segment, file: Int32, tail: UInt64, isSealed: Bool
    ) {
        self.inbox = inbox
        self.ledger = ledger
        self.folder = folder
        self.configuration = configuration
        self.segment = segment
        self.file = file
        self.tail = tail
        self.isSealed = isSealed
    }

    deinit {
        self.seal.deallocate()
        self.folder.files.close(self.file)
    }

    /// The thread's body: until the inbox is closed and empty.
    func run() {
        var groups: [RecordGroup] = []
        while self.inbox.take(&groups, pace: self.pace, until: self.repairAt) {
            self.repairTailIfDue()
            if !groups.isEmpty {
                self.pace.begin(records: groups.reduce(0) { $0 + $1.records }, at: MonotonicClock.now)
            }
            for group in groups { self.place(group) }
            self.flush(sealing: false)
            groups.removeAll(keepingCapacity: true)
            self.wakeAppenders()
            self.orderNextSegment()
        }
    }

    /// Adds the group to the batch, or refuses it. Outcomes keep their order, so the batch goes first.
    private func place(_ group: RecordGroup) {
        if self.batchBytes + group.byteCount > SpoolConfiguration.batchBytesMax
            || self.batch.count == SpoolConfiguration.batchGroupsMax
        {
            self.flush(sealing: false)
        }
        self.refusalBefore = group.isContinued ? self.refusalBefore ?? self.refusal(of: group) : self.refusal(of: group)
        if let refusal = self.refusalBefore {
            self.flush(sealing: false)
            self.finish([group], refusal)
            return
        }
        Frame.stamp(group.bytes, at: self.tail + UInt64(self.batchBytes))
        self.batch.append(group)
        self.pieces.append(UnsafeRawBufferPointer(group.bytes))
        self.batchBytes += group.byteCount
    }

    /// Nil when the group has its place behind the batch in the current segment, which may be a new one, and those that share
    /// its fate will find theirs.
    private func refusal(of group: RecordGroup) -> SpoolRefusal? {
        if self.hasFailed { return .failed }
        if self.brokenEnd != nil { return .diskFull }
        let isFull = self.ledger.facts.withLock { facts in
            let bytes = self.batchBytes + group.byteCount + group.bytesBehind
            guard facts.held + UInt64(bytes) > self.configuration.bytesMax else {
                return false
            }
            facts.isFull = true
            return true
        }
        if isFull { return .full }
        while !self.fits(group.byteCount) {
            if let refusal = self.roll() { return refusal }
        }
        if !self.fits(group.byteCount + group.bytesBehind), case .failure(let starvation) = self.waitForNextSegment() {
            return starvation.refusal
        }
        return nil
    }

    private func fits(_ byteCount: Int) -> Bool {
        let end = self.tail + UInt64(self.batchBytes + byteCount + Frame.headerBytes)
        return !self.isSealed && end <= self.segment.end
    }

    /// Ends the segment and goes on in the next one. The seal is durable before the next one's first record is written:
    /// whatever lies in a later segment proves that this one is whole.
    private func roll() -> SpoolRefusal? {
        let next: Segment
        switch self.waitForNextSegment() {
        case .success(let segment): next = segment
        case .failure(let starvation): return starvation.refusal
        }
        let nextFile: Int32
        do throws(SystemCallError) {
            nextFile = try self.folder.open(next)
        } catch {
            // Too many open files, perhaps: nothing is lost, the next group tries again.
            self.ledger.log("spool: the prepared segment can't be opened: \(error)")
            return .failed
        }
        if !self.isSealed { self.flush(sealing: true) }
        guard self.isSealed else {
            self.folder.files.close(nextFile)
            return self.hasFailed ? .failed : .diskFull
        }
        self.folder.files.close(self.file)
        self.file = nextFile
        self.segment = next
        self.tail = next.firstRecord
        self.isSealed = false
        self.ledger.facts.withLock { $0.active += 1 }
        return nil
    }

    private struct Starvation: Error { var refusal: SpoolRefusal }

    private func waitForNextSegment() -> Result<Segment, Starvation> {
        let ledger = self.ledger
        let isReady = ledger.facts.withLock { facts in
            if facts.active + 1 < facts.segments.count { return true }
            facts.nextIsWanted = true
            facts.metrics.segmentWaits += 1
            return false
        }
        if !isReady { ledger.keeperWanted.signal() }
        return ledger.facts.withLock(
            waitingOn: ledger.segmentTried,
            for: { $0.active + 1 < $0.segments.count || $0.preparationFailure != nil },
            { facts in
                if facts.active + 1 < facts.segments.count { return .success(facts.segments[facts.active + 1]) }
                let refusal = facts.preparationFailure ?? .failed
                facts.starvation = refusal
                return .failure(Starvation(refusal: refusal))
            })
    }

    /// Has the next segment made when half of this one is used.
    private func orderNextSegment() {
        guard self.tail - self.segment.base > self.segment.byteCount / 2 else { return }
        let isNew = self.ledger.facts.withLock { facts in
            guard facts.active + 1 == facts.segments.count, !facts.nextIsWanted else { return false }
            facts.nextIsWanted = true
            return true
        }
        if isNew { self.ledger.keeperWanted.signal() }
    }

    /// Writes and syncs the batch, with the seal behind it if wanted; all of it counts, or nothing.
    private func flush(sealing: Bool) {
        guard sealing || !self.batch.isEmpty else { return }
        var bytes = self.batchBytes
        if sealing {
            Frame.writeSeal(to: self.seal.baseAddress!, at: self.tail + UInt64(bytes))
            self.pieces.append(UnsafeRawBufferPointer(self.seal))
            bytes += Frame.headerBytes
        }
        let refusal = self.write(self.pieces, bytes: bytes, sealing: sealing)
        self.finish(self.batch, refusal)
        self.batch.removeAll(keepingCapacity: true)
        self.pieces.removeAll(keepingCapacity: true)
        self.batchBytes = 0
    }

    private func write(_ pieces: [UnsafeRawBufferPointer], bytes: Int, sealing: Bool) -> SpoolRefusal? {
        let offset = self.tail - self.segment.base
        do throws(SystemCallError) {
            try self.folder.files.writeFully(self.file, at: offset, pieces)
        } catch {
            guard error.isNoRoom else { return self.fail(error) }
            self.brokenEnd = self.tail + UInt64(bytes)
            self.repairAt = MonotonicClock.now + MonotonicClock.milliseconds(self.configuration.retryMilliseconds)
            self.ledger.facts.withLock { $0.isTailBroken = true }
            self.ledger.log("spool: no room: \(error)")
            return .diskFull
        }
        let start = MonotonicClock.now
        do throws(SystemCallError) {
            try self.folder.files.syncData(self.file)
        } catch {
            return self.fail(error)
        }
        self.commit(bytes: bytes, sealing: sealing, syncNanoseconds: MonotonicClock.now - start)
        return nil
    }

    private func commit(bytes: Int, sealing: Bool, syncNanoseconds: UInt64) {
        // Not with the seal: a reader that has every record is at the end, whether a segment ends there or not.
        let durable = self.batchBytes > 0 ? self.tail + UInt64(self.batchBytes) : nil
        self.tail += UInt64(bytes)
        self.isSealed = sealing
        var records = 0
        for group in self.batch { records += group.records }
        let wakesReaders = self.ledger.facts.withLock { facts in
            facts.durable = durable ?? facts.durable
            facts.metrics.recordsAppended += UInt64(records)
            facts.metrics.bytesAppended += UInt64(self.batchBytes)
            facts.metrics.syncs += 1
            facts.metrics.syncSecondsTotal += Double(syncNanoseconds) / 1e9
            return facts.readersWaiting > 0
        }
        if wakesReaders { self.ledger.durableGrew.broadcast() }
    }

    /// For ever: after a failed sync the kernel may have dropped the pages and call them clean, so another sync that
    /// succeeds would prove nothing (PostgreSQL's "fsyncgate", 2018).
    private func fail(_ error: SystemCallError) -> SpoolRefusal {
        self.hasFailed = true
        self.ledger.facts.withLock { $0.hasFailed = true }
        self.ledger.log("spool: failed, nothing is accepted until a restart: \(error)")
        return .failed
    }

    /// Puts zeros where the failed write may have left refused records. Its success is also the sign that there is room.
    private func repairTailIfDue() {
        guard let end = self.brokenEnd, let time = self.repairAt, MonotonicClock.now >= time else { return }
        let base = self.segment.base
        do throws(SystemCallError) {
            try self.folder.files.writeZeros(self.file, (self.tail - base)..<(min(end, self.segment.end) - base))
        } catch {
            guard error.isNoRoom else {
                self.repairAt = nil
                _ = self.fail(error)
                return
            }
            self.repairAt = MonotonicClock.now + MonotonicClock.milliseconds(self.configuration.retryMilliseconds)
            return
        }
        self.repairAt = nil
        do throws(SystemCallError) {
            try self.folder.files.syncData(self.file)
        } catch {
            _ = self.fail(error)
            return
        }
        self.brokenEnd = nil
        self.ledger.facts.withLock { $0.isTailBroken = false }
        self.ledger.log("spool: there is room again: accepting")
    }

    private func finish(_ groups: [RecordGroup], _ refusal: SpoolRefusal?) {
        if let refusal {
            var records = 0
            for group in groups { records += group.records }
            self.ledger.facts.withLock { $0.metrics.recordsRefused[refusal, default: 0] += UInt64(records) }
        }
        for group in groups {
            let outbox = group.outbox
            if outbox.deliver(group, refusal) { self.toWake.append(outbox) }
        }
    }

    private func wakeAppenders() {
        for outbox in self.toWake { outbox.wake() }
        self.toWake.removeAll(keepingCapacity: true)
    }
}
