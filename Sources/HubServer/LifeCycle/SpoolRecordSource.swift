import EventSpool
import EventStore

/// The spool as the loader sees it. Stays on the loader's thread, as the reader must.
final class SpoolRecordSource: RecordSource {
    private let spool: Spool
    private let reader: SpoolReader
    /// What the database can have loaded: what the spool held when it was opened, and what was read since.
    private var furthest: UInt64

    init(_ spool: Spool) throws(SpoolError) {
        self.spool = spool
        self.reader = try spool.makeReader(from: spool.oldest)
        self.furthest = spool.recovered.offset
    }

    func read(recordsMax: Int, bytesMax: Int, waitMilliseconds: Int, _ body: (RawSpan) -> Void) throws -> Int {
        defer { self.furthest = max(self.furthest, self.position) }
        return try self.reader.read(
            recordsMax: recordsMax, bytesMax: bytesMax, waitMilliseconds: waitMilliseconds, body)
    }

    var position: UInt64 { self.reader.position.offset }

    /// A position beyond what can be loaded was stored before the directory was put back to an older state. It stays refused
    /// when the spool has grown past it: the new events before it would be taken for loaded ones.
    func seek(to position: UInt64) throws {
        guard position <= self.furthest else {
            throw HubError(
                code: .spool,
                detail:
                    "the database has loaded this spool up to \(position), but it ended at \(self.furthest): its directory"
                    + " is an old copy or was emptied; nothing is loaded. If no other hub uses a copy of it, set"
                    + " ackhub.hub_position to \(self.furthest) for hub \(self.hub)")
        }
        try self.reader.seek(to: SpoolPosition(offset: position))
    }

    func release(upTo position: UInt64) { self.spool.release(upTo: SpoolPosition(offset: position)) }

    /// The key of the row, in hex, as PostgreSQL reads a uuid.
    private var hub: String {
        let digits = String(self.spool.identity, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }
}
