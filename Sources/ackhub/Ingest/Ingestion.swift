import CommandLineOptions
import HubServer
import StrictJSON

/// One run of `ackhub ingest`: reads an input, makes it lines of events and sends them on.
struct Ingestion {
    /// A line of a provider's export or receipts may hold an array of them.
    static let sourceLineBytesMax = 8 << 20
    /// Refusals that are told one by one.
    static let refusalsToldMax = 10
    private static let depthMax = 16

    enum Destination {
        case hub(IngestSender)
        /// Nowhere: the lines are printed.
        case standardOutput
    }

    private let format: IngestFormat
    private let map: MessageMap
    private var destination: Destination
    private(set) var tally = IngestTally()

    init(_ format: IngestFormat, map: MessageMap, to destination: Destination) {
        self.format = format
        self.map = map
        self.destination = destination
    }

    /// - Throws: when the input can't be read, or the hub refuses a request or is away for too long. What was accepted
    ///   before counts; the same input sent again adds what is missing.
    mutating func run(_ path: String) throws {
        let isConverted = self.format != .ndjson
        var lines = try InputLines(
            path: path, lineBytesMax: isConverted ? Self.sourceLineBytesMax : LineSplitter.lineBytesMax)
        while let (number, line) = try lines.next() {
            self.tally.countLine()
            guard case .text(let bytes) = line else {
                self.refuse(number, "line_too_long", "The line is too long.")
                continue
            }
            if isConverted {
                for item in self.items(of: bytes) { try self.take(item, from: number) }
            } else {
                try self.pass(bytes, from: number)
            }
        }
        try self.send { sender, told in try sender.flush(told: told) }
    }

    private func items(of line: [UInt8]) -> [SourceItem] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line.span.bytes, depthMax: Self.depthMax)
        } catch {
            return [.refused(code: "malformed_json", detail: "The JSON breaks at byte \(error.offset): \(error.code).")]
        }
        return (value.items ?? [value]).flatMap { value in
            switch self.format {
            case .fcmBigQuery: [BigQueryRow.item(value, self.map)]
            case .hmsReceipt: HMSReceipt.items(value, self.map)
            case .ndjson: preconditionFailure("lines of events are not converted")
            }
        }
    }

    private mutating func take(_ item: SourceItem, from number: Int) throws {
        switch item {
        case .event(let event): try self.pass(event.line, from: number)
        case .ignored(let name): self.tally.countIgnored(name)
        case .refused(let code, let detail): self.refuse(number, code, detail)
        }
    }

    private mutating func pass(_ line: [UInt8], from number: Int) throws {
        switch self.destination {
        case .hub: try self.send { sender, told in try sender.add(line, from: number, told: told) }
        case .standardOutput:
            try Output.bytes(line + [UInt8(ascii: "\n")])
            self.tally.countAccepted()
        }
    }

    /// Lets the sender work and counts what it tells.
    private mutating func send(
        _ work: (inout IngestSender, (Int, IngestSender.Outcome) -> Void) throws -> Void
    ) throws {
        guard case .hub(var sender) = self.destination else { return }
        // What is waiting in it must have one owner while it grows.
        self.destination = .standardOutput
        var told: [(Int, IngestSender.Outcome)] = []
        defer {
            self.destination = .hub(sender)
            for (number, outcome) in told {
                switch outcome {
                case .accepted: self.tally.countAccepted()
                case .refused(let code, let detail): self.refuse(number, code, detail)
                }
            }
            if !told.isEmpty { Output.progress("\(self.tally.accepted) events accepted") }
        }
        try work(&sender) { told.append(($0, $1)) }
    }

    private mutating func refuse(_ number: Int, _ code: String, _ detail: String) {
        if self.tally.refusedTotal < Self.refusalsToldMax { Output.diagnostic("line \(number): \(code): \(detail)") }
        self.tally.countRefused(code)
    }
}
