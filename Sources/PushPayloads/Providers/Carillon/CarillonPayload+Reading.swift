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
                    try FieldValue.integer(value, in: 0...Self.ttlMax)
                } ?? self.ttl
        case "badge":
            self.badge = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...Self.badgeMax)
            }
        case "priority": self.isHighPriority = faults.value(of: member, at: base, Self.isHigh) ?? true
        case "collapse_id":
            self.collapseID = faults.value(of: member, at: base) { value throws(FieldReason) in
                try Self.identifier(value, bytesMax: Self.collapseIDBytesMax)
            }
        case "thread_id":
            self.threadID = faults.value(of: member, at: base) { value throws(FieldReason) in
                try Self.identifier(value, bytesMax: Self.nameBytesMax)
            }
        case "sound":
            self.sound =
                faults.value(of: member, at: base) { value throws(FieldReason) in
                    try FieldValue.string(value, bytesMax: Self.nameBytesMax)
                } ?? self.sound
        default: return false
        }
        return true
    }

    private mutating func takeObject(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) {
        let inner = FieldBase.member(of: base, name: member.name)
        switch member.name {
        case "data":
            guard Self.fits(member, at: base, &faults) else { return }
            self.data = CustomData.read(
                member.value, at: inner, scalarsOnly: true, isReserved: Self.isReserved, &faults)
        case "localizations": self.localizations = CarillonLocalization.read(member.value, at: inner, &faults)
        case "android":
            guard Self.fits(member, at: base, &faults) else { return }
            self.android = CarillonAndroidOverride(member.value, at: inner, &faults)
        case "apns":
            guard Self.fits(member, at: base, &faults) else { return }
            guard case .object(let members) = member.value else {
                return faults.add(inner.place, .type, "Must be an object.")
            }
            self.apns = members.filter { !CarillonStamp.isReserved($0.name) }
                .map { PayloadMember($0.name, PayloadNode($0.value)) }
        default: faults.add(inner.place, .unknownField, "Unknown field.")
        }
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

    /// Refuses an object that is beyond the bound of every payload that it would be part of, before it is laid out often.
    private static func fits(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        let bytes = PayloadSize.json(PayloadNode(member.value)).fixedBytes
        guard bytes > PayloadShape.messageBytesMax else { return true }
        faults.add(
            base.place(member.name), .payloadTooLarge,
            "Has \(bytes) bytes as JSON; a whole payload may have \(PayloadShape.messageBytesMax).")
        return false
    }

    private static func isHigh(_ value: JSONValue) throws(FieldReason) -> Bool {
        switch value {
        case .string("high"): return true
        case .string("normal"): return false
        case .string: throw FieldReason(code: .unknownValue, detail: "Must be high or normal.")
        default: throw FieldReason(code: .type, detail: "Must be a string.")
        }
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
