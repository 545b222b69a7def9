import EventSpool
import HTTPFrontEnd
import MessageIDs

/// `POST /v1/links`: mints the links of messages, as one JSON request or as a stream of lines.
enum LinksEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        let type = try MediaType.of(call.request, among: [.json, .ndjson])
        try QueryParameters(call.request.query, known: []).check()
        let key = try IdempotencyKey(call.request)
        if type == .ndjson { return try await LineStream.answer(call, MintedLines(LinkLine(), call, key)) }
        return try await Self.answerJSON(call, key)
    }

    private static func answerJSON(_ call: APICall, _ key: IdempotencyKey?) async throws -> Answer {
        let body = try await call.collectBody()
        let request = try LinksRequest(APICall.members(of: body))
        let claimed = try await key?.claim(call, .json, body: body, count: UInt64(request.recipients.count))
        let session = MintSession(call, LinkWriters(call.services), claimed: claimed)
        let writer = try session.links.writer(request.launch.style)
        var messages: [SendMessageID] = []
        messages.reserveCapacity(request.recipients.count)
        for (index, recipient) in request.recipients.enumerated() {
            guard let message = session.message(request.launch, recipient, index: UInt64(index)) else {
                preconditionFailure("a required field passed the check but is missing")
            }
            guard session.count(message) else { throw Problem.tooManyLaunches }
            messages.append(message)
        }
        if let refusal = await call.services.spool.append(session.takeRecords()) {
            throw Problem.spoolRefused(refusal)
        }
        call.counters.update { $0.messagesMinted += UInt64(messages.count) }

        // From here on the messages count as sent: what fails now is an answer lost on its way.
        var answer = AnswerStream(call.writer)
        answer.bytes.append("{\"launch_id\":\"")
        answer.bytes.append(contentsOf: messages[0].launch.text.utf8)
        answer.bytes.append("\",\"messages\":[")
        for (index, message) in messages.enumerated() {
            if index > 0 { answer.bytes.append(UInt8(ascii: ",")) }
            writer.append(message, to: &answer.bytes)
            do { try await answer.writeFullPiece() } catch { return .clientGone }
        }
        answer.bytes.append("]}")
        do { return try await answer.finish() } catch { return .clientGone }
    }
}
