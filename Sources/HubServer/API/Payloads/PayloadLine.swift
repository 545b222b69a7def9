import HubLinks
import MessageIDs
import PushPayloads
import StrictJSON

/// A line of `POST /v1/payloads`: one recipient with its launch and its message, answered with the finished payload.
struct PayloadLine: MintLine {
    /// A message's custom data may be nested.
    static let depthMax = JSONValue.depthDefault

    private var templates = PayloadTemplates()

    mutating func answer(
        _ members: [JSONMember], index: UInt64, _ session: MintSession, to bytes: inout [UInt8],
        _ report: inout MintReport
    ) throws(KeyRingError) -> Problem? {
        var faults = FieldFaults()
        var launch = LaunchFields()
        var fields = PayloadFields()
        var recipient = PayloadRecipientFields()
        for member in members
        where !recipient.read(member, at: .root, &faults) && !launch.read(member, at: .root, &faults)
            && !fields.read(member, at: .root, &faults)
        {
            faults.addUnknownField(member.name, at: .root)
        }
        launch.requireAll(in: members, at: .root, &faults)
        fields.requireAll(in: members, at: .root, &faults)
        recipient.requireAll(in: members, at: .root, &faults)
        let links = try session.links.writer(launch.style)
        let writer = self.templates.writer(
            fields, for: launch.provider, linkBytesMax: links.minter.linkBytesMax, &faults)
        if let writer { recipient.check(against: writer.template, at: .root, &faults) }
        guard faults.isEmpty, let writer, let address = recipient.recipient,
            let message = session.message(launch, recipient.message, index: index)
        else { return .invalidFields(faults) }
        do {
            try writer.prepare(message, for: address, links)
        } catch {
            faults.add(PayloadPlace.message.place, error)
            return .invalidFields(faults)
        }
        guard session.count(message, isStored: writer.template.needsStoredMessage) else { return .tooManyLaunches }
        writer.append(to: &bytes)
        report.payloadsRendered[message.provider, default: 0] += 1
        return nil
    }

    static func refused(_ problem: Problem, _ report: inout MintReport) {
        report.payloadsRefused[problem.code, default: 0] += 1
    }
}
