import PushPayloads
import StrictJSON

/// The JSON body of `POST /v1/payloads`: a launch, a message and its recipients. What is wrong with the former refuses the
/// request; what is wrong with one recipient refuses that one.
struct PayloadsRequest: Sendable {
    /// Bounds what one body can make of bad recipients, which are answered each with its faults.
    static let recipientsMax = 100_000

    private(set) var launch = LaunchFields()
    private var fields = PayloadFields()
    private var elements: [JSONValue] = []
    /// As the client named it, for pointers.
    private var arrayName: StaticString = "recipients"
    /// What is wrong with the request as a whole.
    private var faults = FieldFaults()

    /// Reads what the recipients share. Throws nothing: the message's own faults are still to come.
    init(_ members: [JSONMember]) {
        var hasArray = false
        for member in members
        where !self.launch.read(member, at: .root, &self.faults) && !self.fields.read(member, at: .root, &self.faults) {
            let name: StaticString
            switch member.name {
            case "recipients": name = "recipients"
            case "messages": name = "messages"
            default:
                self.faults.addUnknownField(member.name, at: .root)
                continue
            }
            guard member.value != .null else { continue }
            if hasArray {
                self.faults.add(
                    FieldBase.root.place(member.name), .repeated, "Two names of one field: give recipients alone.")
                continue
            }
            hasArray = true
            self.arrayName = name
            self.readArray(member)
        }
        self.launch.requireAll(in: members, at: .root, &self.faults)
        self.fields.requireAll(in: members, at: .root, &self.faults)
        if !hasArray { self.faults.require("recipients", in: members, at: .root) }
    }

    private mutating func readArray(_ member: JSONMember) {
        let base = FieldBase.root
        guard case .array(let elements) = member.value else {
            return self.faults.add(base.place(member.name), .type, "Must be an array of objects.")
        }
        if elements.isEmpty {
            return self.faults.add(base.place(member.name), .empty, "Must hold at least one recipient.")
        }
        if elements.count > Self.recipientsMax {
            return self.faults.add(
                base.place(member.name), .tooMany, "Must hold at most \(Self.recipientsMax) recipients.")
        }
        self.elements = elements
    }

    /// What writes the payloads; nil when the request is at fault.
    mutating func makeWriter(linkBytesMax: Int) -> PayloadWriter? {
        var templates = PayloadTemplates()
        return templates.writer(self.fields, for: self.launch.provider, linkBytesMax: linkBytesMax, &self.faults)
    }

    /// The request's recipients, nil for each that is at fault. Throws when the request is at fault, or every recipient.
    ///
    /// - Parameter found: Gets the faults of all recipients.
    func recipients(for template: PayloadTemplate?, _ found: inout FieldFaults) throws(Problem)
        -> [PayloadRecipientFields?]
    {
        var recipients: [PayloadRecipientFields?] = []
        recipients.reserveCapacity(self.elements.count)
        var hasGood = false
        for index in self.elements.indices {
            let recipient = self.recipient(index, for: template, &found)
            hasGood = hasGood || recipient != nil
            recipients.append(recipient)
        }
        guard self.faults.isEmpty && hasGood else {
            var faults = self.faults
            faults.add(found)
            throw .invalidFields(faults)
        }
        return recipients
    }

    /// What is wrong with one recipient by itself.
    func faults(ofRecipient index: Int, for template: PayloadTemplate) -> FieldFaults {
        var faults = FieldFaults()
        _ = self.recipient(index, for: template, &faults)
        return faults
    }

    private func recipient(
        _ index: Int, for template: PayloadTemplate?, _ faults: inout FieldFaults
    ) -> PayloadRecipientFields? {
        let before = faults.total
        let base = FieldBase.element(of: self.arrayName, index: index)
        guard case .object(let members) = self.elements[index] else {
            faults.add(base.place, .type, "Must be an object.")
            return nil
        }
        var recipient = PayloadRecipientFields()
        for member in members where !recipient.read(member, at: base, &faults) {
            faults.addUnknownField(member.name, at: base)
        }
        recipient.requireAll(in: members, at: base, &faults)
        if let template { recipient.check(against: template, at: base, &faults) }
        return faults.total == before ? recipient : nil
    }
}
