import HubLinks
import StrictJSON

/// Turns the lines of one NDJSON request into the lines of its answer, in order: every line that is not blank gives one.
struct LineMinter {
    /// Lines that are counted and answered together: their counts share one record and one sync of the spool.
    static let groupLinesMax = 1_000
    /// With an Idempotency-Key: the nanoseconds reserved for a stream, one a line.
    static let claimedLinesMax: UInt64 = 1_000_000

    private let session: MintSession
    private let linesMax: UInt64
    private var splitter = LineSplitter()
    /// Lines read so far, blank ones too.
    private var lineNumber: UInt64 = 0

    /// The answers of the present group.
    private(set) var output: [UInt8] = []
    /// The line with which the present group began, from 1.
    private(set) var groupStart: UInt64 = 1
    /// Lines of the present group, by what they were answered with.
    private(set) var minted = 0
    private(set) var refused = 0

    init(_ session: MintSession, linesMax: UInt64) {
        self.session = session
        self.linesMax = linesMax
    }

    /// Answers whole lines of `chunk` from `offset` on, until it ends or the group is full.
    mutating func read(_ chunk: [UInt8], at offset: inout Int) throws(KeyRingError) {
        while self.minted + self.refused < Self.groupLinesMax, let line = self.splitter.next(in: chunk, at: &offset) {
            try self.answer(line, in: chunk)
        }
    }

    /// Answers the last line when the stream ended without a line feed.
    mutating func finish() throws(KeyRingError) {
        if let line = self.splitter.finish() { try self.answer(line, in: []) }
    }

    /// Makes the links of further lines with this ring.
    func use(_ keyRing: KeyRing) { self.session.use(keyRing) }

    /// The group's sent counts, to be made durable before `output` is written.
    func takeRecords() -> [[UInt8]] { self.session.tally.takeRecords() }

    /// Begins the next group.
    mutating func startGroup() {
        self.output.removeAll(keepingCapacity: true)
        self.minted = 0
        self.refused = 0
        self.groupStart = self.lineNumber + 1
    }

    private mutating func answer(_ line: LineSplitter.Line, in chunk: [UInt8]) throws(KeyRingError) {
        self.lineNumber += 1
        switch line {
        case .tooLong:
            self.refuse(
                Problem(413, "line_too_long", "The line is longer than \(LineSplitter.lineBytesMax) bytes."))
        case .inChunk(let range):
            try self.answer(chunk.span.bytes.extracting(range))
        case .joined:
            let joined = self.splitter.joined
            try self.answer(joined.span.bytes)
        }
    }

    private mutating func answer(_ line: RawSpan) throws(KeyRingError) {
        if Self.isBlank(line) { return }
        guard self.lineNumber <= self.linesMax else {
            let detail = "A stream with an Idempotency-Key may have \(self.linesMax) lines."
            return self.refuse(Problem(413, "too_many_lines", detail))
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, depthMax: 8)
        } catch {
            return self.refuse(.malformedJSON(error))
        }
        var faults = FieldFaults()
        guard case .object(let members) = value else {
            faults.add(.pointer(""), .type, "A line must be a JSON object.")
            return self.refuse(.invalidFields(faults))
        }
        var launch = LaunchFields()
        var recipient = RecipientFields()
        for member in members
        where !recipient.read(member, at: .root, &faults) && !launch.read(member, at: .root, &faults) {
            faults.add(FieldBase.root.place(member.name), .unknownField, "There is no such field.")
        }
        launch.requireAll(in: members, at: .root, &faults)
        recipient.requireAll(in: members, at: .root, &faults)
        guard faults.isEmpty, let message = self.session.message(launch, recipient, index: self.lineNumber - 1) else {
            return self.refuse(.invalidFields(faults))
        }
        guard self.session.tally.count(message) else { return self.refuse(.tooManyLaunches) }
        try self.session.append(message, style: launch.style, to: &self.output)
        self.output.append(UInt8(ascii: "\n"))
        self.minted += 1
    }

    private mutating func refuse(_ problem: Problem) {
        self.output.append(contentsOf: Self.errorLine(problem, line: self.lineNumber))
        self.refused += 1
    }

    /// `{"error":{"code":…,"detail":…,"errors":[…],"line":…}}`
    static func errorLine(_ problem: Problem, line: UInt64) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.beginObject()
        problem.writeMembers(to: &json)
        json.key("line")
        json.number(Int64(clamping: line))
        json.endObject()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func isBlank(_ line: RawSpan) -> Bool {
        for offset in 0..<line.byteCount {
            switch line.unsafeLoad(fromByteOffset: offset, as: UInt8.self) {
            case 0x20, 0x09, 0x0D: continue
            default: return false
            }
        }
        return true
    }
}
