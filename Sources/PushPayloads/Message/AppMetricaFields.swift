import StrictJSON

/// The message's `appmetrica` member: what AppMetrica alone wants.
struct AppMetricaFields: Sendable, Equatable {
    /// The group of sends in AppMetrica, made there beforehand.
    var groupID: Int64?
    var tag: String?

    init() {}

    init(_ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return
        }
        for member in members {
            switch member.name {
            case "group_id" where member.value != .null:
                self.groupID = faults.value(of: member, at: base) { value throws(FieldReason) in
                    try FieldValue.integer(value, in: 0...Int64.max)
                }
            case "tag" where member.value != .null:
                self.tag = faults.value(of: member, at: base, FieldValue.name)
            case "group_id", "tag": break
            default: faults.addUnknownField(member.name, at: base)
            }
        }
    }

    /// A fault when the message's members hold no group.
    static func requireGroup(in members: [JSONMember], at base: FieldBase, _ faults: inout FieldFaults) {
        let own = members.first { $0.name == "appmetrica" && $0.value != .null }?.value ?? .object([])
        // Of another type: said already.
        guard case .object(let ownMembers) = own else { return }
        faults.require("group_id", in: ownMembers, at: .member(of: base, name: "appmetrica"))
    }
}
