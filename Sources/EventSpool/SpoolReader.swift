import Glibc

/// Reads durable records in order. Owned by one thread; any number of readers may exist beside the writer.
package final class SpoolReader {
    /// The end of what was read so far: store it with the batch. Equals `Spool.durable` when everything was read.
    package private(set) var position: SpoolPosition

    private let ledger: SpoolLedger
    private let folder: SpoolFolder
    private var cursor: SegmentCursor?

    init(ledger: SpoolLedger, folder: SpoolFolder, position: SpoolPosition) throws(SpoolError) {
        self.ledger = ledger
        self.folder = folder
        self.position = position
        try self.seek(to: position)
    }

    /// Goes back, after a failed batch. A position that is already released moves on to the oldest, logged and counted; one
    /// beyond `Spool.durable` is an error.
    package func seek(to position: SpoolPosition) throws(SpoolError) {
        let (oldest, durable) = self.ledger.facts.withLock { ($0.segments[0].base, $0.durable) }
        guard position.offset <= durable else {
            throw SpoolError(
                .positionAhead,
                "position \(position.offset) is beyond the spool's end \(durable): the directory is an old copy or was emptied"
            )
        }
        self.position = position
        if position.offset < oldest { self.skipReleased(to: oldest) }
    }

    /// Reads up to the limits; waits up to `waitMilliseconds` for the first record. Returns the number of records; `body`
    /// gets each one's bytes, which are valid only inside it. A corrupt region is skipped, logged and counted.
    ///
    /// `bytesMax` counts payload bytes; one record is read even when it alone is larger. Throws when a segment can't be
    /// opened; `position` is then behind the last record that `body` got.
    package func read(
        recordsMax: Int, bytesMax: Int, waitMilliseconds: Int, _ body: (RawSpan) -> Void
    ) throws(SpoolError) -> Int {
        let deadline = waitMilliseconds > 0 ? MonotonicClock.now + MonotonicClock.milliseconds(waitMilliseconds) : 0
        let durable = self.ledger.durable(beyond: self.position.offset, until: deadline)
        var records = 0
        var bytes = 0
        while self.position.offset < durable {
            guard let cursor = try self.cursor(upTo: durable) else { continue }
            switch cursor.next() {
            case .record(let payload):
                guard records < recordsMax, records == 0 || bytes + payload.count <= bytesMax else {
                    cursor.move(to: self.position.offset)
                    return records
                }
                body(RawSpan(_unsafeBytes: payload))
                records += 1
                bytes += payload.count
                self.position.offset = cursor.position
            case .sealed:
                self.position.offset = cursor.segment.end
            case .end, .damaged:
                let from = max(self.position.offset, cursor.segment.firstRecord)
                let to = cursor.resynchronize() ?? min(durable, cursor.segment.end)
                if to > from { self.ledger.noteDamage(from..<to, in: cursor.segment) }
                self.position.offset = to
            }
        }
        return records
    }

    /// The cursor at `position`, in a segment opened for it if need be; nil when `position` was moved on instead.
    private func cursor(upTo durable: UInt64) throws(SpoolError) -> SegmentCursor? {
        let offset = self.position.offset
        if let cursor, cursor.segment.base <= offset, offset < cursor.segment.end {
            cursor.limit = min(durable, cursor.segment.end)
            if cursor.position != max(offset, cursor.segment.firstRecord) { cursor.move(to: offset) }
            return cursor
        }
        self.cursor = nil
        let segments = self.ledger.facts.withLock { $0.segments }
        guard let segment = segments.first(where: { offset < $0.end }) else { return nil }
        guard segment.base <= offset else {
            if segment == segments[0] {
                self.skipReleased(to: segment.base)
            } else {
                self.ledger.noteDamage(offset..<segment.base, in: nil)
                self.position.offset = segment.base
            }
            return nil
        }
        let file: Int32
        do throws(SystemCallError) {
            file = try self.folder.open(segment)
        } catch {
            // Released since the list was read: the next look finds the oldest that is left.
            let isReleased = self.ledger.facts.withLock { facts in !facts.segments.contains(segment) }
            if error.errno == ENOENT && isReleased { return nil }
            throw SpoolError(error)
        }
        self.cursor = SegmentCursor(
            segment, file: file, files: self.folder.files, position: offset, limit: min(durable, segment.end))
        return self.cursor
    }

    private func skipReleased(to oldest: UInt64) {
        self.ledger.facts.withLock { $0.metrics.readGaps += 1 }
        self.ledger.log(
            "spool: records between positions \(self.position.offset) and \(oldest) were released before; reading from the oldest"
        )
        self.position.offset = oldest
    }
}
