import StrictJSON

extension PushMessage {
    /// The fields of a message, by their names.
    enum Field: String, CaseIterable, Sendable {
        case title, body, subtitle, icon, image, color, sound, vibration, soundless, priority, ttl, badge, buttons
        case clickURL = "click_url"
        case ledColor = "led_color"
        case data, android, ios
        case appMetrica = "appmetrica"
    }

    /// Takes a member that is not null.
    mutating func read(
        _ field: Field, _ member: JSONMember, at base: FieldBase, _ rules: PushMessageRules, _ faults: inout FieldFaults
    ) {
        switch field {
        case .title: self.title = faults.value(of: member, at: base, FieldValue.text) ?? ""
        case .body: self.body = faults.value(of: member, at: base, FieldValue.text) ?? ""
        case .subtitle:
            self.subtitle = faults.value(of: member, at: base, FieldValue.text).flatMap { $0.isEmpty ? nil : $0 }
        case .icon: self.icon = faults.value(of: member, at: base, FieldValue.icon)
        case .image: self.image = faults.value(of: member, at: base, FieldValue.imageURL)
        case .clickURL: self.clickURL = faults.value(of: member, at: base, FieldValue.link)
        case .color: self.color = faults.value(of: member, at: base, FieldValue.color)
        case .ledColor: self.ledColor = faults.value(of: member, at: base, FieldValue.color)
        case .sound: self.sound = faults.value(of: member, at: base, FieldValue.name)
        case .vibration: self.isVibrating = faults.value(of: member, at: base, FieldValue.bool) ?? false
        case .soundless: self.isSoundless = faults.value(of: member, at: base, FieldValue.bool) ?? false
        case .priority: self.priority = faults.value(of: member, at: base, FieldValue.priority) ?? .high
        case .ttl:
            self.ttl = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...rules.ttlMax)
            }
        case .badge:
            self.badge = faults.value(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: 0...PushLimits.badgeMax)
            }
        case .buttons:
            self.buttons = PushButton.readAll(
                member.value, at: .member(of: base, name: member.name), countMax: rules.buttonsMax, &faults)
        case .appMetrica:
            self.appMetrica = AppMetricaFields(member.value, at: .member(of: base, name: member.name), &faults)
        // Read apart, when all of them are known: see `custom`.
        case .data, .android, .ios: break
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
                custom = CustomData.read(member.value, at: place, .strings, isReserved: rules.isReserved, &faults)
            case "android", "ios":
                let data = Self.platformData(member.value, at: place, rules, &faults)
                if member.name == rules.platform.rawValue { overrides = data }
            default: break
            }
        }
        return custom.merged(with: overrides, recursively: false)
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
                faults.addUnknownField(member.name, at: base)
                continue
            }
            guard member.value != .null else { continue }
            data = CustomData.read(
                member.value, at: .member(of: base, name: member.name), .strings, isReserved: rules.isReserved, &faults)
        }
        return data
    }
}
