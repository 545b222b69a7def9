import EventSpool
import HTTPFrontEnd
import MessageIDs

/// `POST /v1/payloads`: mints messages and makes their finished push payloads, as one JSON request or as a stream of lines.
///
/// A payload is measured with its own links before its message counts as sent: what is refused is neither minted nor counted.
enum PayloadsEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        let type = try MediaType.of(call.request, among: [.json, .ndjson])
        try QueryParameters(call.request.query, known: []).check()
        let key = try IdempotencyKey(call.request)
        if type == .ndjson { return try await LineStream.answer(call, MintedLines(PayloadLine(), call, key)) }
        do {
            return try await Self.answerJSON(call, key)
        } catch let problem as Problem {
            call.counters.update { $0.payloadsRefused[problem.code, default: 0] += 1 }
            throw problem
        }
    }

    private static func answerJSON(_ call: APICall, _ key: IdempotencyKey?) async throws -> Answer {
        let body = try await call.collectBody()
        let writers = LinkWriters(call.services)
        var batch = try PayloadBatch(APICall.members(of: body), writers)
        let claimed = try await key?.claim(call, .json, body: body, count: UInt64(batch.count))
        let session = MintSession(call, writers, claimed: claimed)
        let launch = try batch.mint(in: session)
        if let refusal = await call.services.spool.append(session.takeRecords()) { throw Problem.spoolRefused(refusal) }

        // From here on the messages count as sent: what fails now is an answer lost on its way.
        defer { call.counters.update { [report = batch.report] in $0.add(report) } }
        var answer = AnswerStream(call.writer)
        answer.bytes.append("{\"launch_id\":\"")
        answer.bytes.append(contentsOf: launch.text.utf8)
        answer.bytes.append("\",\"messages\":[")
        for index in 0..<batch.count {
            if index > 0 { answer.bytes.append(UInt8(ascii: ",")) }
            batch.append(index, to: &answer.bytes)
            do { try await answer.writeFullPiece() } catch { return .clientGone }
        }
        answer.bytes.append("]}")
        do { return try await answer.finish() } catch { return .clientGone }
    }
}
