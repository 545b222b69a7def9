import StrictJSON

/// The JSON body of `POST /v1/links`: a launch and the recipients of its messages.
struct LinksRequest: Sendable {
    private(set) var launch = LaunchFields()
    private(set) var recipients: [RecipientFields] = []

    /// Reads everything and reports every bad field at once.
    init(_ members: [JSONMember]) throws(Problem) {
        var faults = FieldFaults()
        for member in members where !self.launch.read(member, at: .root, &faults) {
            guard member.name == "messages" else {
                faults.addUnknownField(member.name, at: .root)
                continue
            }
            self.readMessages(member.value, &faults)
        }
        self.launch.requireAll(in: members, at: .root, &faults)
        faults.require("messages", in: members, at: .root)
        guard faults.isEmpty else { throw .invalidFields(faults) }
    }

    private mutating func readMessages(_ value: JSONValue, _ faults: inout FieldFaults) {
        guard case .array(let elements) = value else {
            if value != .null {
                faults.add(FieldBase.root.place("messages"), .type, "Must be an array of objects.")
            }
            return
        }
        if elements.isEmpty { faults.add(FieldBase.root.place("messages"), .empty, "Must hold at least one message.") }
        self.recipients.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let base = FieldBase.element(of: "messages", index: index)
            guard case .object(let members) = element else {
                faults.add(base.place, .type, "Must be an object.")
                continue
            }
            var recipient = RecipientFields()
            for member in members where !recipient.read(member, at: base, &faults) {
                faults.addUnknownField(member.name, at: base)
            }
            recipient.requireAll(in: members, at: base, &faults)
            self.recipients.append(recipient)
        }
    }
}
