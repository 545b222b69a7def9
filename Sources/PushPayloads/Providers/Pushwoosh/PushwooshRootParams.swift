import StrictJSON

/// `android_root_params` and `ios_root_params`: a sender's own keys at the root of the payload.
///
/// The keys that the hub writes there can't be among them: the last writer of `p` would decide what is counted.
enum PushwooshRootParams {
    static let androidKeys: Set<String> = [
        "p", "u", "l", "rm", "b", "i", "ci", "ibc", "led", "pri", "vib", "s", "header", "title", "pw_msg", "pw_badges",
        "pw_silent", "userdata", HubMember.linksName, HubMember.compatibleUIDName,
    ]
    static let iosKeys: Set<String> = [
        "p", "l", "rm", "u", "pw_msg", HubMember.linksName, HubMember.compatibleUIDName,
    ]

    static func readAndroid(
        _ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        guard member.value != .null else { return [] }
        return CustomData.read(
            member.value, at: .member(of: base, name: member.name), .strings,
            isReserved: { Self.androidKeys.contains($0) || CustomData.isReservedByFCM($0) }, &faults)
    }

    static func readIOS(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> [PayloadMember] {
        guard member.value != .null else { return [] }
        let place = FieldBase.member(of: base, name: member.name)
        let params = CustomData.read(member.value, at: place, .json, isReserved: Self.iosKeys.contains, &faults)
        // Absent from what is at fault as a whole.
        guard params["aps"] != nil, let aps = member.value["aps"], !aps.isNull else { return params }
        let read = PayloadMember("aps", .object(Self.readAPS(aps, at: .member(of: place, name: "aps"), &faults)))
        return params.merged(with: [read], recursively: false)
    }

    /// What iOS itself reads; numbers that came as strings become numbers, for iOS ignores the strings.
    private static func readAPS(
        _ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return []
        }
        return members.compactMap { member in
            let node = faults.value(of: member, at: base) { value throws(FieldReason) -> PayloadNode in
                switch (member.name, value) {
                case (_, .null): throw FieldReason(code: .type, detail: "Must not be null: leave it out.")
                case ("content-available", _), ("mutable-content", _):
                    return .integer(try PushwooshValue.flag(value) ? 1 : 0)
                case ("badge", _): return .integer(try PushwooshValue.badges(value))
                case ("alert", .string), ("alert", .object): return PayloadNode(value)
                case ("alert", _): throw FieldReason(code: .type, detail: "Must be a string or an object.")
                default: return PayloadNode(value)
                }
            }
            return node.map { PayloadMember(member.name, $0) }
        }
    }
}
