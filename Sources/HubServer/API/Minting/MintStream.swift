import EventSpool
import HTTPFrontEnd
import Postgres

/// The NDJSON form of an endpoint that mints: a line in, a line out, in order, while the client still sends. Lines are answered
/// in groups: as many as one read of the body brought, at most `LineMinter.groupLinesMax`, and no more once the answers
/// have `groupBytesMax`; so memory is bounded, an answer never waits for input that has not come, and each group's sent
/// counts are durable before it is answered.
///
/// A client must read while it sends: when the answers pile up in its socket, reading its lines stops.
struct MintStream<Line: LineAnswer> {
    private let call: APICall
    private var lines: LineMinter<Line>
    private var isStarted = false

    static func answer(_ call: APICall, _ key: IdempotencyKey?, _ line: Line) async throws -> Answer {
        let claimed = try await key?.claim(call, .ndjson, body: [], count: LineMinter<Line>.claimedLinesMax)
        let session = MintSession(call, LinkWriters(call.services), claimed: claimed)
        var stream = MintStream(call, LineMinter(line, session, linesMax: claimed?.count ?? .max))
        do {
            return try await stream.run()
        } catch HTTPBodyError.disconnected {
            return .clientGone
        } catch {
            guard stream.isStarted else { throw error }
            return await stream.end(with: error)
        }
    }

    private init(_ call: APICall, _ lines: LineMinter<Line>) {
        self.call = call
        self.lines = lines
    }

    private mutating func run() async throws -> Answer {
        while let chunk = try await self.call.body.next() {
            // A stream may last for days: what was revoked or retired meanwhile is so for it too.
            try await self.call.checkGrant()
            self.lines.use(self.call.services.keyRing)
            var offset = 0
            while offset < chunk.count {
                try self.lines.read(chunk, at: &offset)
                try await self.answerGroup()
            }
        }
        try self.lines.finish()
        try await self.answerGroup()
        await self.start()
        await self.call.writer.finish()
        return .streamed(status: 200)
    }

    private mutating func answerGroup() async throws {
        let records = self.lines.takeRecords()
        if !records.isEmpty, let refusal = await self.call.services.spool.append(records) {
            throw Problem.spoolRefused(refusal)
        }
        let report = self.lines.report
        self.call.counters.update { $0.add(report) }
        if !self.lines.output.isEmpty {
            await self.start()
            do { try await self.call.writer.write(self.lines.output) } catch { throw HTTPBodyError.disconnected }
        }
        self.lines.startGroup()
    }

    private mutating func start() async {
        guard !self.isStarted else { return }
        self.isStarted = true
        await self.call.writer.start(
            status: 200, headers: [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")])
    }

    /// The stream cannot go on: the last line of the answer says why, and from which line on nothing was counted.
    private func end(with error: any Error) async -> Answer {
        let problem: Problem
        switch error {
        case let known as Problem: problem = known
        case let error as HTTPBodyError: problem = Problem(error)
        case let error as PostgresError where error.meansAway: problem = .databaseUnavailable
        default:
            self.call.services.log.write(.error, "stream failed", [("error", String(describing: error))])
            problem = .internalError
        }
        do {
            try await self.call.writer.write(problem.line(self.lines.groupStart))
        } catch {
            return .clientGone
        }
        await self.call.writer.finish()
        return .streamed(status: 200)
    }
}
