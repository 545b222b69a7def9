import PushPayloads
import StrictJSON

/// The fields of one recipient: those of a message and its push `token` and `locale?`.
struct PayloadRecipientFields: Sendable {
    var message = RecipientFields()
    private var token: PayloadRecipient?
    private var locale: String?

    /// To whom it goes; nil without a valid token.
    var recipient: PayloadRecipient? { self.locale == nil ? self.token : self.token?.localized(self.locale) }

    /// Takes the member when it is one of these fields; false when it is not.
    mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        let isNull = member.value == .null
        switch member.name {
        case "token":
            if !isNull { self.token = faults.value(of: member, at: base, FieldValue.pushToken) }
        case "locale":
            if !isNull { self.locale = faults.value(of: member, at: base, Self.locale) }
        default: return self.message.read(member, at: base, &faults)
        }
        return true
    }

    /// Adds a fault for each required field that `members` lack.
    func requireAll(in members: [JSONMember], at base: FieldBase, _ faults: inout FieldFaults) {
        self.message.requireAll(in: members, at: base, &faults)
        if self.token == nil { faults.require("token", in: members, at: base) }
    }

    /// Adds a fault when the provider has no payload for such a recipient.
    func check(against template: PayloadTemplate, at base: FieldBase, _ faults: inout FieldFaults) {
        guard let token = self.token else { return }
        do { try template.check(token) } catch { faults.add(base.place("token"), error) }
    }

    private static func locale(_ value: JSONValue) throws(FieldReason) -> String {
        try FieldValue.string(value, bytesMax: PayloadRecipient.localeBytesMax)
    }
}
