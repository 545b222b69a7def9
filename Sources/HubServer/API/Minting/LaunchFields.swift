import HubLinks
import MessageIDs
import StrictJSON

/// The fields that the messages of one launch share: `campaign_id`, `launched_at?`, `resource_id?`, `channel?`, `provider`,
/// `test?`, `privacy?`, `style?`. A null optional field is an absent one.
struct LaunchFields: Sendable {
    var campaign: Int64?
    /// UNIX nanoseconds; nil = the request's own launch time.
    var launchedAt: UInt64?
    var resource: Int64 = 0
    var channel = Channel.push
    var provider: Provider?
    var isTest = false
    var privacy = Privacy.keepAddress
    /// nil = the hub's configured style.
    var style: LinkStyle?

    /// Takes the member when it is one of these fields; false when it is not.
    mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        let isNull = member.value == .null
        switch member.name {
        case "campaign_id":
            if !isNull { self.campaign = faults.value(of: member, at: base, FieldValue.id) }
        case "launched_at":
            if !isNull { self.launchedAt = faults.value(of: member, at: base, FieldValue.time) }
        case "resource_id":
            if !isNull { self.resource = faults.value(of: member, at: base, FieldValue.id) ?? 0 }
        case "channel":
            if !isNull { self.channel = faults.value(of: member, at: base, FieldValue.channel) ?? .push }
        case "provider":
            if !isNull { self.provider = faults.value(of: member, at: base, FieldValue.provider) }
        case "test":
            if !isNull { self.isTest = faults.value(of: member, at: base, FieldValue.bool) ?? false }
        case "privacy":
            if !isNull { self.privacy = faults.value(of: member, at: base, FieldValue.privacy) ?? .keepAddress }
        case "style":
            if !isNull { self.style = faults.value(of: member, at: base, FieldValue.style) }
        default: return false
        }
        return true
    }

    /// Adds a fault for each required field that `members` lack.
    func requireAll(in members: [JSONMember], at base: FieldBase, _ faults: inout FieldFaults) {
        if self.campaign == nil { faults.require("campaign_id", in: members, at: base) }
        if self.provider == nil { faults.require("provider", in: members, at: base) }
    }
}
