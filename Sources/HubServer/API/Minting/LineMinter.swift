import HubLinks
import StrictJSON

/// Turns the lines of one NDJSON request into the lines of its answer, in order: every line that is not blank gives one.
struct LineMinter<Line: LineAnswer> {
    /// Lines that are counted and answered together: their counts share one record and one sync of the spool.
    static var groupLinesMax: Int { 1_000 }
    /// A group also ends when its answers have so many bytes: payloads are long.
    static var groupBytesMax: Int { 256 << 10 }
    /// With an Idempotency-Key: the nanoseconds reserved for a stream, one a line.
    static var claimedLinesMax: UInt64 { 1_000_000 }

    private let session: MintSession
    private let linesMax: UInt64
    private var line: Line
    private var splitter = LineSplitter()
    /// Lines read so far, blank ones too.
    private var lineNumber: UInt64 = 0

    /// The answers of the present group.
    private(set) var output: [UInt8] = []
    /// The line with which the present group began, from 1.
    private(set) var groupStart: UInt64 = 1
    /// What the present group came to.
    private(set) var report = MintReport()

    init(_ line: Line, _ session: MintSession, linesMax: UInt64) {
        self.line = line
        self.session = session
        self.linesMax = linesMax
    }

    /// Answers whole lines of `chunk` from `offset` on, until it ends or the group is full.
    mutating func read(_ chunk: [UInt8], at offset: inout Int) throws(KeyRingError) {
        while !self.isFull, let line = self.splitter.next(in: chunk, at: &offset) {
            try self.answer(line, in: chunk)
        }
    }

    private var isFull: Bool {
        self.report.minted + self.report.linesRefused >= Self.groupLinesMax || self.output.count >= Self.groupBytesMax
    }

    /// Answers the last line when the stream ended without a line feed.
    mutating func finish() throws(KeyRingError) {
        if let line = self.splitter.finish() { try self.answer(line, in: []) }
    }

    /// Makes the links of further lines with this ring.
    func use(_ keyRing: KeyRing) { self.session.links.use(keyRing) }

    /// The group's spool records, to be made durable before `output` is written.
    func takeRecords() -> [[UInt8]] { self.session.takeRecords() }

    /// Begins the next group.
    mutating func startGroup() {
        self.output.removeAll(keepingCapacity: true)
        self.report = MintReport()
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
            value = try JSONValue(parsing: line, depthMax: Line.depthMax)
        } catch {
            return self.refuse(.malformedJSON(error))
        }
        guard case .object(let members) = value else {
            var faults = FieldFaults()
            faults.add(.pointer(""), .type, "A line must be a JSON object.")
            return self.refuse(.invalidFields(faults))
        }
        let index = self.lineNumber - 1
        if let problem = try self.line.answer(members, index: index, self.session, to: &self.output, &self.report) {
            return self.refuse(problem)
        }
        self.output.append(UInt8(ascii: "\n"))
        self.report.minted += 1
    }

    private mutating func refuse(_ problem: Problem) {
        self.output.append(contentsOf: problem.line(self.lineNumber))
        self.report.linesRefused += 1
        Line.refused(problem, &self.report)
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
