import CommandLineOptions
import StrictJSON

/// Sends lines to a hub's `POST /v1/ingest`, many a request, and tells what became of each.
///
/// A request whose answer was lost, or that the hub broke off for want of room, is sent again from the first line without
/// an answer: every line names its event, so none counts twice.
struct IngestSender {
    /// A request ends at so many lines or bytes: it bounds memory, and what is sent again.
    static let linesMax = 5_000
    static let bytesMax = 1 << 20

    /// What a hub says of a line; any other error says that it stopped reading.
    private static let lineCodes: Set<String> = ["malformed_json", "invalid_fields", "wrong_account", "line_too_long"]

    enum Outcome: Equatable {
        case accepted
        case refused(code: String, detail: String)
    }

    /// Sends a request's body until it has an answer; throws when that took too long.
    private let post: ([UInt8]) throws -> HTTPAnswer
    /// A line of the input and its number there.
    private var waiting: [(number: Int, line: [UInt8])] = []
    private var waitingBytes = 0

    init(_ post: @escaping ([UInt8]) throws -> HTTPAnswer) { self.post = post }

    init(_ client: APIClient) {
        self.init { body in
            try client.send("POST", "/v1/ingest", fields: ["Content-Type: application/x-ndjson"], body: body)
        }
    }

    /// Takes a line, and when a request is full sends it.
    mutating func add(_ line: [UInt8], from number: Int, told: (Int, Outcome) -> Void) throws {
        self.waiting.append((number, line))
        self.waitingBytes += line.count + 1
        if self.waiting.count >= Self.linesMax || self.waitingBytes >= Self.bytesMax { try self.flush(told: told) }
    }

    /// Sends what waits.
    ///
    /// - Throws: when the hub refuses the request, or is away for longer than the client's patience.
    mutating func flush(told: (Int, Outcome) -> Void) throws {
        var rest = self.waiting[...]
        while !rest.isEmpty {
            let answer = try self.post(rest.flatMap { $0.line + [UInt8(ascii: "\n")] })
            guard answer.status == 200 else { throw CommandError("POST /v1/ingest: \(answer.summary)") }
            let outcomes = try Self.outcomes(answer.body)
            guard !outcomes.isEmpty, outcomes.count <= rest.count else {
                throw CommandError(
                    "POST /v1/ingest: \(outcomes.count) answers to \(rest.count) lines: \(answer.summary)")
            }
            for (entry, outcome) in zip(rest, outcomes) { told(entry.number, outcome) }
            rest = rest.dropFirst(outcomes.count)
        }
        self.waiting.removeAll(keepingCapacity: true)
        self.waitingBytes = 0
    }

    /// Of the lines that the hub has dealt with.
    static func outcomes(_ body: [UInt8]) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for line in body.split(separator: UInt8(ascii: "\n")) {
            let answer = try JSONValue(parsing: Array(line).span.bytes)
            if answer["accepted"]?.boolean == true {
                outcomes.append(.accepted)
                continue
            }
            guard let error = answer["error"], let code = error["code"]?.text else {
                throw CommandError("POST /v1/ingest: an answer that is neither accepted nor an error")
            }
            guard Self.lineCodes.contains(code) else { break }
            outcomes.append(.refused(code: code, detail: Self.detail(of: error)))
        }
        return outcomes
    }

    /// `/uid: Names no message: checksum.`, or what is said of the line as a whole.
    private static func detail(of error: JSONValue) -> String {
        guard let fault = error["errors"]?.items?.first, let pointer = fault["pointer"]?.text,
            let detail = fault["detail"]?.text
        else { return error["detail"]?.text ?? "" }
        return pointer.isEmpty ? detail : "\(pointer): \(detail)"
    }
}
