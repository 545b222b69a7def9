import EventSpool
import EventStore

/// A spool of this process as the loader reads it: made anew for the fill, so no position stored for it can lie ahead.
final class FillSource: RecordSource {
    private let spool: Spool
    private let reader: SpoolReader

    init(_ spool: Spool) throws(SpoolError) {
        self.spool = spool
        self.reader = try spool.makeReader(from: spool.oldest)
    }

    func read(recordsMax: Int, bytesMax: Int, waitMilliseconds: Int, _ body: (RawSpan) -> Void) throws -> Int {
        try self.reader.read(recordsMax: recordsMax, bytesMax: bytesMax, waitMilliseconds: waitMilliseconds, body)
    }

    var position: UInt64 { self.reader.position.offset }
    func seek(to position: UInt64) throws { try self.reader.seek(to: SpoolPosition(offset: position)) }
    func release(upTo position: UInt64) { self.spool.release(upTo: SpoolPosition(offset: position)) }
}
