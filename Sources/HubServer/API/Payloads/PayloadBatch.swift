import HubLinks
import MessageIDs
import PushPayloads
import StrictJSON

/// The recipients of one JSON request on their way to their payloads. The payloads are made twice, to be measured before
/// anything is counted and to be written: keeping them would take their memory for the whole batch.
struct PayloadBatch {
    private let request: PayloadsRequest
    private let writer: PayloadWriter
    private let links: LinkWriter
    /// nil where the recipient is at fault.
    private let recipients: [PayloadRecipientFields?]
    private let faults: FieldFaults
    /// As `recipients`, once they are minted.
    private var messages: [SendMessageID?] = []

    private(set) var report = MintReport()

    /// Throws when the request is at fault, or every recipient: with all faults.
    init(_ members: [JSONMember], _ writers: LinkWriters) throws {
        var request = PayloadsRequest(members)
        self.links = try writers.writer(request.launch.style)
        let writer = request.makeWriter(linkBytesMax: self.links.minter.linkBytesMax)
        var faults = FieldFaults()
        self.recipients = try request.recipients(for: writer?.template, &faults)
        guard let writer else { preconditionFailure("a request without faults has no template") }
        self.request = request
        self.writer = writer
        self.faults = faults
    }

    /// Recipients, those at fault included.
    var count: Int { self.recipients.count }

    /// Makes the messages and counts those whose payload is within bounds; their launch. Throws when none is, with what is
    /// wrong: a reason that many share once.
    mutating func mint(in session: MintSession) throws(Problem) -> LaunchID {
        var faults = self.faults
        var reasons: Set<FieldReason> = []
        var launch: LaunchID?
        self.messages.reserveCapacity(self.count)
        for (index, fields) in self.recipients.enumerated() {
            guard let fields, let recipient = fields.recipient else {
                self.messages.append(nil)
                continue
            }
            guard let message = session.message(self.request.launch, fields.message, index: UInt64(index)) else {
                preconditionFailure("a required field passed the check but is missing")
            }
            self.messages.append(message)
            do {
                try self.writer.prepare(message, for: recipient, self.links)
            } catch {
                if reasons.insert(error).inserted { faults.add(PayloadPlace.message.place, error) }
                continue
            }
            guard session.count(message, isStored: self.writer.template.needsStoredMessage) else {
                throw .tooManyLaunches
            }
            launch = message.launch
            self.report.minted += 1
        }
        guard let launch else { throw .invalidFields(faults) }
        self.report.payloadsRendered[self.writer.template.provider] = self.report.minted
        return launch
    }

    /// Appends the recipient's payload, or in its place `{"error":…}`.
    mutating func append(_ index: Int, to bytes: inout [UInt8]) {
        guard let problem = self.appendPayload(index, to: &bytes) else { return }
        self.report.payloadsRefused[problem.code, default: 0] += 1
        bytes.append(contentsOf: problem.inPlace)
    }

    private func appendPayload(_ index: Int, to bytes: inout [UInt8]) -> Problem? {
        guard let message = self.messages[index], let recipient = self.recipients[index]?.recipient else {
            return .invalidFields(self.request.faults(ofRecipient: index, for: self.writer.template))
        }
        do {
            try self.writer.prepare(message, for: recipient, self.links)
        } catch {
            var faults = FieldFaults()
            faults.add(PayloadPlace.message.place, error)
            return .invalidFields(faults)
        }
        self.writer.append(to: &bytes)
        return nil
    }
}
