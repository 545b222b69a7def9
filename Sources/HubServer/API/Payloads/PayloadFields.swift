import PushPayloads
import StrictJSON

/// What a payload is made of beside its launch and its recipient: `message`, `template?`, `ak_uid?`. A null optional field
/// is an absent one.
struct PayloadFields: Sendable {
    /// As it came: only the provider's renderer knows what it may hold.
    var message: JSONValue?
    var isDocumented = false
    var hasAkUID = false

    /// Takes the member when it is one of these fields; false when it is not.
    mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        let isNull = member.value == .null
        switch member.name {
        case "message":
            if !isNull { self.message = faults.value(of: member, at: base, Self.object) }
        case "template":
            if !isNull { self.isDocumented = faults.value(of: member, at: base, Self.isDocumented) ?? false }
        case "ak_uid":
            if !isNull { self.hasAkUID = faults.value(of: member, at: base, FieldValue.bool) ?? false }
        default: return false
        }
        return true
    }

    /// Adds a fault for each required field that `members` lack.
    func requireAll(in members: [JSONMember], at base: FieldBase, _ faults: inout FieldFaults) {
        if self.message == nil { faults.require("message", in: members, at: base) }
    }

    private static func object(_ value: JSONValue) throws(FieldReason) -> JSONValue {
        guard case .object = value else { throw FieldReason(code: .type, detail: "Must be an object.") }
        return value
    }

    private static func isDocumented(_ value: JSONValue) throws(FieldReason) -> Bool {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard let template = PayloadTemplateName(rawValue: text) else {
            throw FieldReason(code: .unknownValue, detail: "Must be wire or documented.")
        }
        return template == .documented
    }
}
