import StrictJSON

/// Raw `android` options: FCM's AndroidConfig as the sender writes it. Only what would break the message is checked.
struct CarillonAndroidOverride: Sendable {
    /// All but `data`, to be laid over the generated configuration.
    var members: [PayloadMember] = []
    /// In the place of the message's data; without what is the hub's.
    var data: [PayloadMember]?

    /// Whether there is a notification to show even where the message has no text of its own.
    var hasNotification: Bool {
        if case .object? = self.members["notification"] { true } else { false }
    }

    init() {}

    init(_ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return
        }
        for member in members {
            switch member.name {
            case "data": self.data = Self.data(member.value, at: .member(of: base, name: "data"), &faults)
            case "ttl":
                guard let ttl = faults.value(of: member, at: base, FieldValue.duration) else { continue }
                self.members.append(PayloadMember("ttl", .string(ttl)))
            default: self.members.append(PayloadMember(member.name, PayloadNode(member.value)))
            }
        }
    }

    /// Absent when null. The hub's own names are dropped: what stands under them is written afterwards.
    private static func data(
        _ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults
    ) -> [PayloadMember]? {
        guard !value.isNull else { return nil }
        var custom = value
        if case .object(let members) = value {
            custom = .object(members.filter { !CarillonStamp.isReserved($0.name) })
        }
        return CustomData.read(
            custom, at: base, .json, scalarsOnly: true, isReserved: CustomData.isReservedByFCM, &faults)
    }
}

extension FieldValue {
    /// A duration as FCM writes them (protobuf's JSON form): seconds, up to nine digits of fraction, and `s`; from `0s` to
    /// 28 days.
    fileprivate static func duration(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        let parts = text.utf8.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard text.utf8.last == UInt8(ascii: "s"), areDigits, (1...2).contains(parts.count),
            parts.count == 1 || parts[1].count <= 9
        else { throw FieldReason(code: .invalid, detail: "Must be a duration like 3600s or 3.5s.") }
        let seconds = Int64(String(decoding: parts[0], as: UTF8.self)) ?? .max
        let hasFraction = parts.count == 2 && parts[1].contains { $0 != UInt8(ascii: "0") }
        guard seconds < PushLimits.ttlSecondsMax || seconds == PushLimits.ttlSecondsMax && !hasFraction else {
            throw FieldReason(code: .outOfRange, detail: "Must be at most \(PushLimits.ttlSecondsMax)s.")
        }
        return text
    }
}
