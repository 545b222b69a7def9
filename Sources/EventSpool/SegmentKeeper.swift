/// Prepares the next segment and removes released ones, on a thread of its own, so that the writer never pays for it.
final class SegmentKeeper: Sendable {
    private let ledger: SpoolLedger
    private let folder: SpoolFolder
    private let configuration: SpoolConfiguration

    private enum Order {
        case prepare(after: Segment)
        case remove([Segment])
        case end
    }

    init(ledger: SpoolLedger, folder: SpoolFolder, configuration: SpoolConfiguration) {
        self.ledger = ledger
        self.folder = folder
        self.configuration = configuration
    }

    /// The thread's body: until `keeperMustEnd` and nothing is left to remove.
    func run() {
        var retryAt: UInt64?
        while true {
            switch self.nextOrder(retryAt: retryAt) {
            case .prepare(let last): retryAt = self.prepare(after: last) ? nil : self.retryTime
            case .remove(let segments): retryAt = self.remove(segments) ? nil : self.retryTime
            case .end: return
            }
        }
    }

    private var retryTime: UInt64 {
        MonotonicClock.now + MonotonicClock.milliseconds(self.configuration.retryMilliseconds)
    }

    /// Blocks; with `retryAt` nothing is tried before that time, unless the end comes first.
    private func nextOrder(retryAt: UInt64?) -> Order {
        self.ledger.facts.withLock(
            waitingOn: self.ledger.keeperWanted, until: retryAt,
            for: { facts in
                facts.keeperMustEnd || (retryAt == nil && (facts.nextIsWanted || !facts.removals.isEmpty))
            },
            { facts in
                // Removals first: they make room.
                if !facts.removals.isEmpty && !(facts.keeperMustEnd && retryAt != nil) {
                    let removals = facts.removals
                    facts.removals = []
                    return .remove(removals)
                }
                if facts.keeperMustEnd { return .end }
                guard facts.nextIsWanted, let last = facts.segments.last else { return .remove([]) }
                return .prepare(after: last)
            })
    }

    private func prepare(after last: Segment) -> Bool {
        let segment: Segment
        do throws(SystemCallError) {
            segment = try self.create(after: last)
        } catch {
            let refusal = error.isNoRoom ? SpoolRefusal.diskFull : .failed
            let isNews = self.ledger.facts.withLock { facts in
                defer { facts.preparationFailure = refusal }
                return facts.preparationFailure != refusal
            }
            self.ledger.segmentTried.signal()
            if isNews { self.ledger.log("spool: the next segment can't be prepared, trying on: \(error)") }
            return false
        }
        let hadFailed = self.ledger.facts.withLock { facts in
            facts.segments.append(segment)
            facts.nextIsWanted = false
            facts.starvation = nil
            defer { facts.preparationFailure = nil }
            return facts.preparationFailure != nil
        }
        self.ledger.segmentTried.signal()
        if hadFailed { self.ledger.log("spool: the next segment is prepared: accepting again") }
        return true
    }

    /// Where there is no room for one twice as large as the last, one of the first size: segments that have grown must not
    /// keep a small disk full for ever.
    private func create(after last: Segment) throws(SystemCallError) -> Segment {
        let segment = Segment(base: last.end, byteCount: self.configuration.segmentBytes(after: last.byteCount))
        let least = Segment(base: last.end, byteCount: self.configuration.segmentBytes(after: 0))
        do throws(SystemCallError) {
            try self.folder.create(segment)
            return segment
        } catch {
            guard error.isNoRoom, least.byteCount < segment.byteCount else { throw error }
            try self.folder.create(least)
            return least
        }
    }

    /// Oldest first, so that a crash in between leaves no hole.
    private func remove(_ segments: [Segment]) -> Bool {
        guard !segments.isEmpty else { return true }
        var removed = 0
        do throws(SystemCallError) {
            for segment in segments {
                try self.folder.files.unlink(self.folder.path(of: segment.fileName))
                removed += 1
            }
            try self.folder.files.syncDirectory(self.folder.path)
            return true
        } catch {
            self.ledger.log("spool: a released segment can't be removed, trying again: \(error)")
            let rest = Array(segments[removed...])
            self.ledger.facts.withLock { $0.removals.insert(contentsOf: rest, at: 0) }
            return removed == segments.count
        }
    }
}
