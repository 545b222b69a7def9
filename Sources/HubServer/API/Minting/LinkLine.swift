import HubLinks
import StrictJSON

/// A line of `POST /v1/links`: one message, answered with its links.
struct LinkLine: MintLine {
    static let depthMax = 8

    mutating func answer(
        _ members: [JSONMember], index: UInt64, _ session: MintSession, to bytes: inout [UInt8],
        _ report: inout MintReport
    ) throws(KeyRingError) -> Problem? {
        var faults = FieldFaults()
        var launch = LaunchFields()
        var recipient = RecipientFields()
        for member in members
        where !recipient.read(member, at: .root, &faults) && !launch.read(member, at: .root, &faults) {
            faults.addUnknownField(member.name, at: .root)
        }
        launch.requireAll(in: members, at: .root, &faults)
        recipient.requireAll(in: members, at: .root, &faults)
        guard faults.isEmpty, let message = session.message(launch, recipient, index: index) else {
            return .invalidFields(faults)
        }
        let writer = try session.links.writer(launch.style)
        guard session.count(message) else { return .tooManyLaunches }
        writer.append(message, to: &bytes)
        return nil
    }
}
