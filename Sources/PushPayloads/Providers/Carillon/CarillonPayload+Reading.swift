import StrictJSON

extension CarillonPayload {
    /// Reads the message; nil when it is at fault: `faults` then says all that is wrong.
    init?(_ message: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) {
        guard case .object(let members) = message else {
            faults.add(base.place, .type, "Must be an object.")
            return nil
        }
        let faultsBefore = faults.total
        self.init()
        for member in members where !member.value.isNull {
            if self.text.take(member, at: base, &faults) { continue }
            if self.takeDelivery(member, at: base, &faults) { continue }
            self.takeObject(member, at: base, &faults)
        }
        self.requireContent(of: message, at: base, &faults)
        guard faults.total == faultsBefore else { return nil }
    }

    private mutating func takeDelivery(
        _ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults
    ) -> Bool {
        switch member.name {
        case "ttl":
            self.ttl =
                faults.value(of: member, at: base) { value throws(FieldReason) in
                    try FieldValue.integer(value, in: 0...PushLimits.ttlSecondsMax)
                } ?? self.ttl
        case "badge":
            self.badge = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...PushLimits.badgeMax)
            }
        case "priority": self.priority = faults.value(of: member, at: base, FieldValue.priority) ?? .high
        case "collapse_id":
            self.collapseID = faults.value(of: member, at: base) { value throws(FieldReason) in
                try Self.identifier(value, bytesMax: Self.collapseIDBytesMax)
            }
        case "thread_id":
            self.threadID = faults.value(of: member, at: base) { value throws(FieldReason) in
                try Self.identifier(value, bytesMax: PushLimits.nameBytesMax)
            }
        case "sound":
            self.sound =
                faults.value(of: member, at: base) { value throws(FieldReason) in
                    try FieldValue.string(value, bytesMax: PushLimits.nameBytesMax)
                } ?? self.sound
        default: return false
        }
        return true
    }

    private mutating func takeObject(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) {
        let inner = FieldBase.member(of: base, name: member.name)
        switch member.name {
        case "data":
            self.data = CustomData.read(
                member.value, at: inner, .json, scalarsOnly: true, isReserved: Self.isReserved, &faults)
        case "localizations": self.localizations = CarillonLocalization.read(member.value, at: inner, &faults)
        case "android":
            guard Self.hasRoom(for: member, at: base, &faults) else { return }
            self.android = CarillonAndroidOverride(member.value, at: inner, &faults)
        case "apns":
            guard Self.hasRoom(for: member, at: base, &faults) else { return }
            guard case .object(let members) = member.value else {
                return faults.add(inner.place, .type, "Must be an object.")
            }
            self.apns = members.filter { !CarillonStamp.isReserved($0.name) }
                .map { PayloadMember($0.name, PayloadNode($0.value)) }
        default: faults.addUnknownField(member.name, at: base)
        }
    }

    /// False when no payload has room for a raw override: said before it is laid out for every locale.
    private static func hasRoom(for member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        faults.value(of: member, at: base) { value throws(FieldReason) in
            try CustomData.requireRoom(for: value, .json)
        } != nil
    }

    /// A title, a body or a raw APNs override, in the base; and no localization that takes the last of them away. What is
    /// there but at fault is another fault.
    private func requireContent(of message: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) {
        let detail = "A title, a body or a raw apns override is required."
        let hasOverride = Self.isGiven(override: message["apns"])
        guard hasOverride || Self.isGiven(text: message["title"]) || Self.isGiven(text: message["body"]) else {
            return faults.add(base.place, .emptyPayload, detail)
        }
        guard !hasOverride, self.text.hasMessage else { return }
        for localization in self.localizations where !self.text.localized(by: localization.text).hasMessage {
            faults.add(
                FieldBase.member(of: base, name: "localizations").place(localization.name), .emptyPayload, detail)
        }
    }

    private static func isGiven(text: JSONValue?) -> Bool {
        switch text {
        case nil, .null, .string(""): false
        default: true
        }
    }

    /// One that overrides something: what is the hub's is dropped from it.
    private static func isGiven(override: JSONValue?) -> Bool {
        switch override {
        case nil, .null: false
        case .object(let members): members.contains { !CarillonStamp.isReserved($0.name) }
        default: true
        }
    }

    /// The reserved key, APNs' own dictionary, what the hub adds, and what FCM keeps.
    private static func isReserved(_ name: String) -> Bool {
        CarillonStamp.isReserved(name) || name == "aps" || CustomData.isReservedByFCM(name)
    }

    /// A text that also stands in a header field (apns-collapse-id), where a control character would end it.
    private static func identifier(_ value: JSONValue, bytesMax: Int) throws(FieldReason) -> String {
        let text = try FieldValue.string(value, bytesMax: bytesMax)
        guard !text.isEmpty else { throw FieldReason(code: .empty, detail: "Must not be empty: leave it out.") }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw FieldReason(code: .invalid, detail: "Must not have control characters.")
        }
        return text
    }
}
