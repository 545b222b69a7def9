import Postgres

/// What the loader's thread owns while it runs.
final class LoaderRun {
    private let loader: Loader
    private let source: any RecordSource
    private var session: LoaderSession?
    private var batch = LoadBatch()
    private var backoff = Backoff()
    /// Where the database stands: the present batch begins here.
    private var position: UInt64 = 0
    /// Falls when a record of a batch is at fault, until that record is alone; then grows again.
    private var recordsMax: Int
    private var keptHouseAt: UInt64 = 0
    private var sweep = UnmatchedSweep()
    /// By the monotonic clock.
    private var sweepDueAt: UInt64 = 0

    private static let readWaitMilliseconds = 100
    /// A batch of fewer records waits a moment for more.
    private static let decentRecords = 2_000
    /// Failures in a row after which batches get smaller, for one may be too much for a slow server's time-outs.
    private static let attemptsOfOneSize = 3
    /// Failures in a row, 30 s or more, after which an internal error counts as a record's fault.
    private static let internalErrorsMax = 8
    /// A device reports within days: FCM delivers for 28 at most.
    private static let unmatchedKeptNanoseconds: UInt64 = 31 * 86_400 * 1_000_000_000
    private static let housekeepingEveryNanoseconds: UInt64 = 3600 * 1_000_000_000

    init(_ loader: Loader, _ source: any RecordSource) {
        self.loader = loader
        self.source = source
        self.recordsMax = loader.configuration.batchRecordsMax
    }

    func untilStopped() {
        while !self.loader.stopSignal.isRaised {
            do {
                try self.step()
            } catch let error as PostgresError where self.isARecordsFault(error) {
                self.narrow(error)
            } catch {
                self.retryLater(error)
            }
        }
    }

    /// One batch, or the way to it.
    private func step() throws {
        let session = try self.session ?? self.connect()
        let monotonic = WallClock.monotonic()
        if self.keptHouseAt == 0 || monotonic - self.keptHouseAt > Self.housekeepingEveryNanoseconds {
            try self.keepHouse(with: session)
            self.keptHouseAt = monotonic
        }
        if monotonic >= self.sweepDueAt { try self.sweepUnmatched(with: session) }
        guard try self.readBatch() else {
            // A server that goes away is noticed by a quiet hub too.
            guard session.connection.checkIdle() else {
                throw PostgresError(code: .connection, detail: "the server closed the idle connection")
            }
            return
        }
        let begun = WallClock.monotonic()
        let end = self.source.position
        let parked = try session.load(&self.batch, end: end, now: self.loader.configuration.now())
        self.committed(end, parked, seconds: Double(WallClock.monotonic() - begun) / 1e9)
    }

    /// The hourly work beside loading. What can't be done, because somebody holds a lock or a right is missing, stops nothing
    /// now: the next hour tries again, and a batch makes the day that it needs.
    private func keepHouse(with session: LoaderSession) throws {
        do {
            try session.makePartitionsAhead(
                now: self.loader.configuration.now(), days: self.loader.configuration.partitionDaysAhead)
        } catch let error as PostgresError where session.connection.isIdle {
            self.log("warning", "partitions can't be made ahead now", error)
        }
        do {
            try session.purgeRequests()
        } catch let error as PostgresError where session.connection.isIdle {
            self.log("warning", "old mint requests can't be removed now", error)
        }
        do {
            let now = self.loader.configuration.now()
            let expired = try session.purgeUnmatched(before: now - min(now, Self.unmatchedKeptNanoseconds))
            self.loader.count { $0.unmatchedExpired += UInt64(expired) }
        } catch let error as PostgresError where session.connection.isIdle {
            self.log("warning", "old unmatched events can't be removed now", error)
        }
    }

    /// Connects, and goes to where the database stands.
    private func connect() throws -> LoaderSession {
        let session = try LoaderSession(self.loader.configuration)
        try self.align(with: session)
        self.session = session
        self.keptHouseAt = 0
        self.sweepDueAt = 0
        self.loader.count { $0.isConnected = true }
        self.log("info", "the loader is connected", nil)
        return session
    }

    /// Goes to the database's position. When the spool does not hold it any more, because a server failed over to a state
    /// older than what was released, the loader goes on with the oldest record that is there and says what is missing.
    private func align(with session: LoaderSession) throws {
        var stored = try session.position()
        if self.loader.loaded != 0 && stored != self.loader.loaded {
            self.loader.count { $0.positionMoves += 1 }
            self.log("warning", "the database is at position \(stored), not at \(self.loader.loaded)", nil)
        }
        if stored != self.source.position { try self.source.seek(to: stored) }
        let found = self.source.position
        if found != stored {
            try session.movePosition(from: stored, to: found)
            self.loader.configuration.log(
                "error", "the spool does not hold any more what the database lacks",
                [("from", String(stored)), ("to", String(found))])
            stored = found
        }
        self.position = stored
        self.loader.noteLoaded(stored)
    }

    /// Reads a batch; false when there was nothing to read. A batch without records is one too when the spool has skipped
    /// something, the end of a segment or a damaged part: the position goes on.
    private func readBatch() throws -> Bool {
        let limits = self.loader.configuration
        self.batch.reset(begin: self.position, keepsRecord: self.recordsMax == 1)
        var bytes = 0
        func read(waitMilliseconds: Int) throws {
            let recordsLeft = self.recordsMax - self.batch.recordCount
            guard recordsLeft > 0, bytes < limits.batchBytesMax else { return }
            _ = try self.source.read(
                recordsMax: recordsLeft, bytesMax: limits.batchBytesMax - bytes, waitMilliseconds: waitMilliseconds
            ) { record in
                bytes += record.byteCount
                self.batch.append(record)
            }
        }
        try read(waitMilliseconds: Self.readWaitMilliseconds)
        guard self.batch.recordCount > 0 else { return self.source.position != self.position }
        if self.batch.recordCount < min(Self.decentRecords, self.recordsMax) {
            self.loader.stopSignal.wait(milliseconds: limits.gatherMilliseconds)
            try read(waitMilliseconds: 0)
        }
        return true
    }

    private func moved(to end: UInt64) {
        self.position = end
        self.source.release(upTo: end)
        self.loader.noteLoaded(end)
    }

    private func committed(_ end: UInt64, _ parked: LoaderSession.Parked, seconds: Double) {
        self.moved(to: end)
        self.backoff.reset()
        self.recordsMax = min(self.recordsMax * 2, self.loader.configuration.batchRecordsMax)
        let newest = max(
            self.batch.events.lazy.map(\.event.receivedAt).max() ?? 0,
            self.batch.keyedEvents.lazy.map(\.event.receivedAt).max() ?? 0)
        self.loader.count {
            $0.batches += 1
            $0.events += UInt64(self.batch.newEventCount)
            $0.repeatedReports += UInt64(self.batch.repeatCount)
            $0.sentRecords += UInt64(self.batch.sentCounts.count)
            $0.messagesStored += UInt64(self.batch.mintedMessages.count)
            $0.quarantined += UInt64(self.batch.refused.count)
            $0.unmatchedParked += UInt64(parked.events)
            $0.unmatchedRefused += UInt64(parked.refused)
            $0.lastBatchSeconds = seconds
            $0.newestReceivedAt = max($0.newestReceivedAt, newest)
        }
        if parked.refused > 0 {
            self.loader.configuration.log(
                "warning", "events of unknown messages are dropped: too many are parked for their account",
                [("events", String(parked.refused))])
        }
        for record in self.batch.refused {
            self.loader.configuration.log(
                "error", "a record can't be read and is in quarantine",
                [("position", String(self.batch.begin)), ("index", String(record.index)), ("reason", record.reason)])
        }
    }
}

extension LoaderRun {
    /// Loads parked events whose message has come. What can't be done now stops no batch: the next look tries again.
    private func sweepUnmatched(with session: LoaderSession) throws {
        let wait = UInt64(self.loader.configuration.unmatchedSweepMilliseconds) * 1_000_000
        self.sweepDueAt = WallClock.monotonic() + wait
        do {
            let outcome = try self.sweep.run(with: session, position: self.position)
            if outcome.hasMore { self.sweepDueAt = 0 }
            self.loader.count {
                $0.events += UInt64(outcome.matched - outcome.repeated)
                $0.repeatedReports += UInt64(outcome.repeated)
                $0.unmatchedMatched += UInt64(outcome.matched)
                $0.quarantined += UInt64(outcome.quarantined)
            }
            if outcome.quarantined > 0 {
                self.log("error", "\(outcome.quarantined) parked events can't be read and are in quarantine", nil)
            }
        } catch let error where session.connection.isIdle {
            session.forgetWhatWasKnown()
            self.loader.count { $0.retries += 1 }
            self.log("warning", "parked events can't be loaded now", error)
            let lone = self.sweep.narrow()
            guard let error = error as? PostgresError, error.mayBeARecordsFault else { return }
            self.sweepDueAt = 0
            guard let lone else { return }
            try session.quarantineUnmatched(lone, position: self.position, because: error)
            self.loader.count { $0.quarantined += 1 }
            self.log("error", "the database refuses a parked event, which is in quarantine", error)
        }
    }
}

extension LoaderRun {
    private func isARecordsFault(_ error: PostgresError) -> Bool {
        error.mayBeARecordsFault || error.isInternal && self.backoff.attempts >= Self.internalErrorsMax
    }

    /// A record of the batch is at fault: halves the batch until it is alone, then puts it aside, and the rest is loaded.
    private func narrow(_ error: PostgresError) {
        guard let session = self.session else { return self.retryLater(error) }
        do {
            if self.batch.recordCount == 1 && self.recordsMax == 1 {
                let end = self.source.position
                try session.quarantine(self.batch, end: end, because: error)
                self.moved(to: end)
                self.loader.count { $0.quarantined += 1 }
                self.log("error", "the database refuses a record, which is in quarantine", error)
                self.recordsMax = min(2, self.loader.configuration.batchRecordsMax)
            } else {
                self.loader.count { $0.retries += 1 }
                self.recordsMax = self.halfOfBatch
                // The partition of a cached day may have been dropped: that is no record's fault.
                session.forgetWhatWasKnown()
                try self.align(with: session)
            }
        } catch {
            self.retryLater(error)
        }
    }

    /// Half of what was tried, which may be far less than what was allowed.
    private var halfOfBatch: Int { max(1, min(self.recordsMax, self.batch.recordCount) / 2) }

    /// Anything that may pass: a new connection after a wait, and the same records again.
    private func retryLater(_ error: any Error) {
        if self.session != nil && self.backoff.attempts >= Self.attemptsOfOneSize {
            self.recordsMax = self.halfOfBatch
        }
        self.session = nil
        let wait = self.backoff.next()
        self.loader.count {
            $0.isConnected = false
            $0.retries += 1
        }
        self.log("warning", "loading failed and is tried again in \(wait) ms", error)
        self.loader.stopSignal.wait(milliseconds: wait)
    }

    private func log(_ level: String, _ message: String, _ error: (any Error)?) {
        var fields = [("position", String(self.position))]
        if let error { fields.append(("error", "\(error)")) }
        if let state = (error as? PostgresError)?.sqlState { fields.append(("sqlstate", state)) }
        self.loader.configuration.log(level, message, fields)
    }
}
