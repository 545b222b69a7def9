import EventSpool
import EventStore
import StrictJSON

/// The lines of `POST /v1/ingest`: an event each, answered `{"accepted":true}` once its group is on disk.
struct IngestedLines: LineHandler {
    static let depthMax = 8
    /// No record is longer than a kibibyte, and the spool keeps 256 KiB of one call whole or not at all: so what the last
    /// line of a broken stream says of its group is true.
    static let groupEventsMax = 256

    private static let accepted = Array("{\"accepted\":true}".utf8)

    private let call: APICall
    private var events: [(event: ReportedEvent, client: ClientFacts)] = []
    private var linesRefused: UInt64 = 0

    init(_ call: APICall) { self.call = call }

    mutating func answer(_ members: [JSONMember], index: UInt64, to bytes: inout [UInt8]) -> Problem? {
        var faults = FieldFaults()
        let fields = IngestFields(members, account: self.call.account, &faults)
        guard faults.isEmpty, let fields else { return .invalidFields(faults) }
        guard fields.message.account == self.call.account else { return .wrongAccount }
        let client = self.call.intake.facts(address: fields.address, userAgent: Array(fields.userAgent.utf8))
        self.events.append((fields.event, client))
        bytes.append(contentsOf: Self.accepted)
        return nil
    }

    mutating func refused(_ problem: Problem) {
        self.linesRefused += 1
        self.call.intake.counters.countRefused(.ingest, DialectRefusal.Reason(problem))
    }

    var isGroupFull: Bool { self.events.count >= Self.groupEventsMax }

    mutating func keepGroup() async throws {
        let refusal = await self.call.intake.store(self.events, .ingest, receivedAt: self.call.services.now())
        if let refusal { throw Problem.spoolRefused(refusal) }
        self.call.counters.update { [count = self.linesRefused] in $0.linesRefused += count }
        self.events.removeAll(keepingCapacity: true)
        self.linesRefused = 0
    }

    mutating func refresh() {}
}

extension DialectRefusal.Reason {
    /// Of a line that is answered with this problem.
    fileprivate init(_ problem: Problem) {
        self =
            switch problem.status {
            case 400: .malformed
            case 403: .forbidden
            case 413: .tooLarge
            default: .invalidArgument
            }
    }
}
