import MessageIDs
import StrictJSON

/// The fields of one message of a launch: `profile_id`, `subscription_id`, `sent_at?`.
struct RecipientFields: Sendable {
    var profile: ProfileID?
    var subscription: Int64?
    /// UNIX nanoseconds; nil = a nanosecond of its own.
    var sentAt: UInt64?

    /// Takes the member when it is one of these fields; false when it is not.
    mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        let isNull = member.value == .null
        switch member.name {
        case "profile_id":
            if !isNull { self.profile = faults.value(of: member, at: base, FieldValue.profile) }
        case "subscription_id":
            if !isNull { self.subscription = faults.value(of: member, at: base, FieldValue.id) }
        case "sent_at":
            if !isNull { self.sentAt = faults.value(of: member, at: base, FieldValue.time) }
        default: return false
        }
        return true
    }

    /// Adds a fault for each required field that `members` lack.
    func requireAll(in members: [JSONMember], at base: FieldBase, _ faults: inout FieldFaults) {
        if self.profile == nil { faults.require("profile_id", in: members, at: base) }
        if self.subscription == nil { faults.require("subscription_id", in: members, at: base) }
    }
}
