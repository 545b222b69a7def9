import EventStore
import HTTPFrontEnd

/// One endpoint: where it is, which scope it asks for and what it does.
struct Route: Sendable {
    var method: HTTPMethod
    var path: PathTemplate
    var scope: TokenScope
    var run: @Sendable (APICall) async throws -> Answer

    init(
        _ method: HTTPMethod, _ path: String, _ scope: TokenScope,
        _ run: @escaping @Sendable (APICall) async throws -> Answer
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.scope = scope
        self.run = run
    }

    /// Every ordinary endpoint. A new one is a file of its own and one line here.
    static let table: [Route] = [
        Route(.post, "/v1/links", .mint, LinksEndpoint.answer),
        Route(.post, "/v1/payloads", .mint, PayloadsEndpoint.answer),
        Route(.post, "/v1/launches/{launch_id}/sent", .mint, SentEndpoint.answer),
        Route(.post, "/v1/ingest", .ingest, IngestEndpoint.answer),
        Route(.get, "/v1/reports/campaigns", .report, CampaignsReportEndpoint.answer),
        Route(.get, "/v1/reports/launches/{launch_id}", .report, LaunchReportEndpoint.answer),
        Route(.get, "/v1/messages/{uid}", .report, MessageEndpoint.answer),
        Route(.get, "/v1/messages/{id}/opens", .report, OpensEndpoint.answer),
        Route(.get, "/v1/decode", .report, DecodeEndpoint.answer),
    ]
}

/// What became of a request.
enum Answer: Sendable {
    case whole(HTTPResponse)
    /// The endpoint wrote and finished the answer itself.
    case streamed(status: Int)
    /// Nobody is left to answer.
    case clientGone
}

typealias PathParameters = [String: String]

/// A path with named segments, `/v1/messages/{uid}`.
struct PathTemplate: Sendable {
    let template: String
    private let segments: [Segment]

    private enum Segment: Sendable {
        case literal([UInt8])
        case parameter(String)
    }

    init(_ template: String) {
        self.template = template
        self.segments = template.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            let text = String(decoding: $0, as: UTF8.self)
            return text.hasPrefix("{") ? .parameter(String(text.dropFirst().dropLast())) : .literal(Array($0))
        }
    }

    /// The decoded parameters; nil when the path is another one. A parameter is never empty, its percent-encoding valid.
    func match(_ path: [Substring.UTF8View]) -> PathParameters? {
        guard path.count == self.segments.count else { return nil }
        var parameters: PathParameters = [:]
        for (segment, text) in zip(self.segments, path) {
            switch segment {
            case .literal(let bytes):
                guard text.elementsEqual(bytes) else { return nil }
            case .parameter(let name):
                guard let value = PercentEncoding.decode(text), !value.isEmpty else { return nil }
                parameters[name] = value
            }
        }
        return parameters
    }
}
