/// The durable log: an append-only directory of segments with one writer thread. Knows nothing of what a record means.
///
/// An append that was not refused is on disk (`fdatasync` returned) and is read exactly once from a stored position, after
/// a kill or a power cut too. A refused one is not read, with one exception: after `failed` nobody knows what the disk
/// kept, so its last batch may be there after a restart.
package final class Spool: Sendable {
    /// A UUID made with the directory: the hub's identity in PostgreSQL. A lost directory is a new identity.
    package let identity: UInt128

    /// Where the log ended when it was opened: no position that is stored for this directory lies beyond.
    package let recovered: SpoolPosition

    private let configuration: SpoolConfiguration
    private let files: any FileSystem
    private let folder: SpoolFolder
    private let ledger: SpoolLedger
    private let inbox: SpoolInbox
    private let asyncAppender: SpoolAsyncAppender
    private let threads: Monitor<(writer: SpoolThread, keeper: SpoolThread, lock: Int32)?>

    /// Opens or creates the directory (locks it against a second process), recovers after a torn tail, starts the writer.
    ///
    /// `log` is called on any thread, with a line that says what happened and names positions and files only.
    package convenience init(
        _ configuration: SpoolConfiguration, log: @escaping @Sendable (String) -> Void
    ) throws(SpoolError) {
        try self.init(configuration, files: LinuxFileSystem(), log: log)
    }

    package init(
        _ configuration: SpoolConfiguration, files: any FileSystem, log: @escaping @Sendable (String) -> Void
    ) throws(SpoolError) {
        precondition(configuration.segmentBytes >= SpoolConfiguration.segmentBytesMin)
        let folder = SpoolFolder(files: files, path: configuration.directory)
        var recovery = SpoolRecovery(folder: folder, configuration: configuration, log: log)
        let found = try recovery.run()

        var metrics = SpoolMetrics()
        metrics.tornTailsRepaired = found.tornTails
        metrics.bytesMax = configuration.bytesMax
        let segment = found.segments[found.active]
        let ledger = SpoolLedger(
            SpoolLedger.Facts(
                segments: found.segments, active: found.active,
                durable: found.recordsEnd, released: found.segments[0].base, metrics: metrics),
            log: log)
        for (region, segment) in found.damage { ledger.noteDamage(region, in: segment) }

        let inbox = SpoolInbox(configuration)
        let keeper = SegmentKeeper(ledger: ledger, folder: folder, configuration: configuration)
        let writer = SpoolThread(name: "spool-writer") {
            SpoolWriter(
                inbox: inbox, ledger: ledger, folder: folder, configuration: configuration, segment: segment,
                file: found.activeFile, tail: found.tail, isSealed: found.isSealed
            ).run()
        }
        self.identity = found.identity
        self.recovered = SpoolPosition(offset: found.recordsEnd)
        self.configuration = configuration
        self.files = files
        self.folder = folder
        self.ledger = ledger
        self.inbox = inbox
        self.asyncAppender = SpoolAsyncAppender(inbox: inbox, configuration: configuration)
        self.threads = Monitor((writer, SpoolThread(name: "spool-keeper") { keeper.run() }, found.lock))
    }

    deinit { self.close() }

    /// A mouth for one thread. `wake` is called on the writer's thread when results are ready to be taken. It must not
    /// block. After a wake, take the results: there is no other wake before.
    package func makeAppender(wake: @escaping @Sendable () -> Void) -> SpoolAppender {
        SpoolAppender(inbox: self.inbox, configuration: self.configuration, wake: wake)
    }

    /// Appends from anywhere, waits for durability without blocking a thread of the cooperative pool.
    ///
    /// Records of one call that together are no longer than a group (256 KiB with frames) are durable together or not at
    /// all; of a longer call a part may be durable although it is refused.
    package func append(_ records: [[UInt8]]) async -> SpoolRefusal? { await self.asyncAppender.append(records) }

    /// The longest record in bytes.
    package var recordBytesMax: Int { self.configuration.recordBytesMax }

    /// All before this is on disk.
    package var durable: SpoolPosition { SpoolPosition(offset: self.ledger.facts.withLock { $0.durable }) }

    /// The oldest position still held.
    package var oldest: SpoolPosition { SpoolPosition(offset: self.ledger.facts.withLock { $0.segments[0].base }) }

    /// Segments wholly before this may go. They are removed on another thread.
    package func release(upTo position: SpoolPosition) {
        let hasWork = self.ledger.facts.withLock { facts in
            facts.released = max(facts.released, min(position.offset, facts.durable))
            let count = facts.segments[..<facts.active].prefix { $0.end <= facts.released }.count
            facts.removals.append(contentsOf: facts.segments[..<count])
            facts.segments.removeFirst(count)
            facts.active -= count
            let hasRoom = facts.held + UInt64(self.configuration.groupBytesMax) <= self.configuration.bytesMax
            if hasRoom || facts.held == 0 { facts.isFull = false }
            return count > 0
        }
        if hasWork { self.ledger.keeperWanted.signal() }
    }

    /// Reads from a position on. One that is already released starts at the oldest, logged and counted (`readGaps`); one
    /// beyond `durable` throws `positionAhead`: the directory is an old copy or was emptied, and reading on would lose or
    /// double events without a word.
    package func makeReader(from position: SpoolPosition) throws(SpoolError) -> SpoolReader {
        try SpoolReader(ledger: self.ledger, folder: self.folder, position: position)
    }

    /// nil when it can accept; else why not (for /readyz).
    package var refusal: SpoolRefusal? { self.ledger.facts.withLock { $0.refusal } }

    package var metrics: SpoolMetrics {
        var metrics = self.ledger.facts.withLock { facts in
            var metrics = facts.metrics
            metrics.bytesHeld = facts.held
            metrics.segments = facts.segments.count + facts.removals.count
            return metrics
        }
        self.inbox.addMetrics(to: &metrics)
        return metrics
    }

    /// Makes what was submitted durable, then stops the writer. Appends after this are refused as `closed`. May be called
    /// again; returns when the directory is free for another.
    package func close() {
        self.inbox.close()
        let ledger = self.ledger
        ledger.facts.withLock { $0.isClosed = true }
        // A long section, on purpose: a second caller waits for the first one.
        self.threads.withLock { threads in
            guard let running = threads else { return }
            running.writer.join()
            ledger.facts.withLock { $0.keeperMustEnd = true }
            ledger.keeperWanted.signal()
            running.keeper.join()
            self.files.close(running.lock)
            threads = nil
        }
    }
}
