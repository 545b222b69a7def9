import EventSpool
import StrictJSON

/// The lines of a request that mints: a message each. A group's sent counts share one record and one sync of the spool.
struct MintedLines<Line: MintLine>: LineHandler {
    /// With an Idempotency-Key: the nanoseconds reserved for a stream, one a line.
    private static var claimedLinesMax: UInt64 { 1_000_000 }

    static var depthMax: Int { Line.depthMax }

    private let call: APICall
    private let session: MintSession
    private let linesMax: UInt64
    private var line: Line
    /// What the present group came to.
    private var report = MintReport()

    init(_ line: Line, _ call: APICall, _ key: IdempotencyKey?) async throws {
        let claimed = try await key?.claim(call, .ndjson, body: [], count: Self.claimedLinesMax)
        self.call = call
        self.session = MintSession(call, LinkWriters(call.services), claimed: claimed)
        self.linesMax = claimed?.count ?? .max
        self.line = line
    }

    mutating func answer(_ members: [JSONMember], index: UInt64, to bytes: inout [UInt8]) throws -> Problem? {
        guard index < self.linesMax else {
            return Problem(
                413, "too_many_lines", "A stream with an Idempotency-Key may have \(self.linesMax) lines.")
        }
        if let problem = try self.line.answer(members, index: index, self.session, to: &bytes, &self.report) {
            return problem
        }
        self.report.minted += 1
        return nil
    }

    mutating func refused(_ problem: Problem) {
        self.report.linesRefused += 1
        Line.refused(problem, &self.report)
    }

    mutating func keepGroup() async throws {
        let records = self.session.takeRecords()
        if !records.isEmpty, let refusal = await self.call.services.spool.append(records) {
            throw Problem.spoolRefused(refusal)
        }
        self.call.counters.update { [report = self.report] in $0.add(report) }
        self.report = MintReport()
    }

    /// What was revoked or retired meanwhile makes no further links.
    mutating func refresh() { self.session.links.use(self.call.services.keyRing) }
}
