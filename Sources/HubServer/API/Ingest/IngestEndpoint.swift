import HTTPFrontEnd

/// `POST /v1/ingest`: takes events that a sender has from elsewhere, a stream of lines.
///
/// It bears repetition: every event has a name, and of events with the same name one counts.
enum IngestEndpoint {
    static func answer(_ call: APICall) async throws -> Answer {
        _ = try MediaType.of(call.request, among: [.ndjson])
        try QueryParameters(call.request.query, known: []).check()
        return try await LineStream.answer(call, IngestedLines(call))
    }
}
