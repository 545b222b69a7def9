import StrictJSON

extension PushMessage {
    static let names: Set<String> = [
        "title", "body", "subtitle", "icon", "image", "click_url", "color", "led_color", "sound", "vibration",
        "soundless", "priority", "ttl", "badge", "buttons", "data", "android", "ios", "appmetrica",
    ]

    /// Takes a member that is not null. Custom data is read apart, when all of it is known: see `custom`.
    mutating func read(
        _ member: JSONMember, at base: FieldBase, _ rules: PushMessageRules, _ faults: inout FieldFaults
    ) {
        switch member.name {
        case "title": self.title = faults.value(of: member, at: base, FieldValue.text) ?? ""
        case "body": self.body = faults.value(of: member, at: base, FieldValue.text) ?? ""
        case "subtitle":
            self.subtitle = faults.value(of: member, at: base, FieldValue.text).flatMap { $0.isEmpty ? nil : $0 }
        case "icon": self.icon = faults.value(of: member, at: base, FieldValue.icon)
        case "image": self.image = faults.value(of: member, at: base, FieldValue.imageURL)
        case "click_url": self.clickURL = faults.value(of: member, at: base, FieldValue.link)
        case "color": self.color = faults.value(of: member, at: base, FieldValue.color)
        case "led_color": self.ledColor = faults.value(of: member, at: base, FieldValue.color)
        case "sound": self.sound = faults.value(of: member, at: base, FieldValue.name)
        case "vibration": self.isVibrating = faults.value(of: member, at: base, FieldValue.bool) ?? false
        case "soundless": self.isSoundless = faults.value(of: member, at: base, FieldValue.bool) ?? false
        case "priority": self.priority = faults.value(of: member, at: base, FieldValue.priority) ?? .high
        case "ttl":
            self.ttl = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...rules.ttlMax)
            }
        case "badge":
            self.badge = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...Self.badgeMax)
            }
        case "buttons":
            self.buttons = PushButton.readAll(
                member.value, at: .member(of: base, name: member.name), countMax: rules.buttonsMax, &faults)
        case "appmetrica":
            self.appMetrica = AppMetricaFields(member.value, at: .member(of: base, name: member.name), &faults)
        default: break
        }
    }

    /// `data`, then `android.data` or `ios.data` laid over it by name. The other platform's is checked only.
    static func custom(
        in members: [JSONMember], at base: FieldBase, _ rules: PushMessageRules, _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        var custom: [PayloadMember] = []
        var overrides: [PayloadMember] = []
        for member in members where member.value != .null {
            let place = FieldBase.member(of: base, name: member.name)
            switch member.name {
            case "data":
                custom = CustomData.read(member.value, at: place, isReserved: rules.isReserved, &faults)
            case "android", "ios":
                let data = Self.platformData(member.value, at: place, rules, &faults)
                if member.name == rules.platform.rawValue { overrides = data }
            default: break
            }
        }
        for member in overrides { custom.set(member.name, member.value) }
        return custom
    }

    /// `{data}`, the only field that a message has for one platform.
    private static func platformData(
        _ value: JSONValue, at base: FieldBase, _ rules: PushMessageRules, _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return []
        }
        var data: [PayloadMember] = []
        for member in members {
            guard member.name == "data" else {
                faults.add(base.place(member.name), .unknownField, "There is no such field.")
                continue
            }
            guard member.value != .null else { continue }
            data = CustomData.read(
                member.value, at: .member(of: base, name: member.name), isReserved: rules.isReserved, &faults)
        }
        return data
    }
}
