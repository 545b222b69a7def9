import StrictJSON

/// Turns the lines of one NDJSON request into the lines of its answer, in order: every line that is not blank gives one.
struct LineGroup<Lines: LineHandler> {
    /// Lines that are kept and answered together: they share one sync of the spool.
    static var linesMax: Int { 1_000 }
    /// A group also ends when its answers have so many bytes: payloads are long.
    static var bytesMax: Int { 256 << 10 }

    private var lines: Lines
    private var splitter = LineSplitter()
    /// Lines read so far, blank ones too.
    private var lineNumber: UInt64 = 0
    /// Lines of the present group that have their answers.
    private var answered = 0

    /// The answers of the present group.
    private(set) var output: [UInt8] = []
    /// The line with which the present group began, from 1.
    private(set) var start: UInt64 = 1

    init(_ lines: Lines) { self.lines = lines }

    /// Answers whole lines of `chunk` from `offset` on, until it ends or the group is full.
    mutating func read(_ chunk: [UInt8], at offset: inout Int) throws {
        while !self.isFull, let line = self.splitter.next(in: chunk, at: &offset) {
            try self.answer(line, in: chunk)
        }
    }

    private var isFull: Bool {
        self.answered >= Self.linesMax || self.output.count >= Self.bytesMax || self.lines.isGroupFull
    }

    /// Answers the last line when the stream ended without a line feed.
    mutating func finish() throws {
        if let line = self.splitter.finish() { try self.answer(line, in: []) }
    }

    mutating func refresh() { self.lines.refresh() }

    /// Makes the group durable: to be called before `output` is written.
    mutating func keep() async throws { try await self.lines.keepGroup() }

    /// Begins the next group.
    mutating func startNext() {
        self.output.removeAll(keepingCapacity: true)
        self.answered = 0
        self.start = self.lineNumber + 1
    }

    private mutating func answer(_ line: LineSplitter.Line, in chunk: [UInt8]) throws {
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

    private mutating func answer(_ line: RawSpan) throws {
        if Self.isBlank(line) { return }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, depthMax: Lines.depthMax)
        } catch {
            return self.refuse(.malformedJSON(error))
        }
        guard case .object(let members) = value else {
            var faults = FieldFaults()
            faults.add(.pointer(""), .type, "A line must be a JSON object.")
            return self.refuse(.invalidFields(faults))
        }
        if let problem = try self.lines.answer(members, index: self.lineNumber - 1, to: &self.output) {
            return self.refuse(problem)
        }
        self.output.append(UInt8(ascii: "\n"))
        self.answered += 1
    }

    private mutating func refuse(_ problem: Problem) {
        self.output.append(contentsOf: problem.line(self.lineNumber))
        self.answered += 1
        self.lines.refused(problem)
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
