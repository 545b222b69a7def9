import HTTPFrontEnd
import Postgres

/// The NDJSON form of an endpoint: a line in, a line out, in order, while the client still sends. Lines are answered in
/// groups: as many as one read of the body brought, at most `LineGroup.linesMax`, and no more once the answers have
/// `bytesMax`; so memory is bounded, an answer never waits for input that has not come, and each group is durable before it
/// is answered.
///
/// A client must read while it sends: when the answers pile up in its socket, reading its lines stops.
struct LineStream<Lines: LineHandler> {
    private let call: APICall
    private var group: LineGroup<Lines>
    private var isStarted = false

    static func answer(_ call: APICall, _ lines: Lines) async throws -> Answer {
        var stream = LineStream(call, LineGroup(lines))
        do {
            return try await stream.run()
        } catch HTTPBodyError.disconnected {
            return .clientGone
        } catch {
            guard stream.isStarted else { throw error }
            return await stream.end(with: error)
        }
    }

    private init(_ call: APICall, _ group: LineGroup<Lines>) {
        self.call = call
        self.group = group
    }

    private mutating func run() async throws -> Answer {
        while let chunk = try await self.call.body.next() {
            // A stream may last for days: a token that was revoked meanwhile is so for it too.
            try await self.call.checkGrant()
            self.group.refresh()
            var offset = 0
            while offset < chunk.count {
                try self.group.read(chunk, at: &offset)
                try await self.answerGroup()
            }
        }
        try self.group.finish()
        try await self.answerGroup()
        await self.start()
        await self.call.writer.finish()
        return .streamed(status: 200)
    }

    private mutating func answerGroup() async throws {
        try await self.group.keep()
        if !self.group.output.isEmpty {
            await self.start()
            do { try await self.call.writer.write(self.group.output) } catch { throw HTTPBodyError.disconnected }
        }
        self.group.startNext()
    }

    private mutating func start() async {
        guard !self.isStarted else { return }
        self.isStarted = true
        await self.call.writer.start(
            status: 200, headers: [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")])
    }

    /// The stream cannot go on: the last line of the answer says why, and from which line on nothing was kept.
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
            try await self.call.writer.write(problem.line(self.group.start))
        } catch {
            return .clientGone
        }
        await self.call.writer.finish()
        return .streamed(status: 200)
    }
}
