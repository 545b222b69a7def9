import StrictJSON

extension PushwooshNotification {
    /// nil when the message is at fault; every fault is added.
    init?(_ value: JSONValue, at base: FieldBase, faults: inout FieldFaults) {
        self.init()
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return nil
        }
        let faultsBefore = faults.total
        for member in members {
            let isKnown =
                self.read(member, at: base, &faults) || self.android.read(member, at: base, &faults)
                || self.ios.read(member, at: base, &faults)
            if !isKnown { faults.addUnknownField(member.name, at: base) }
        }
        guard faults.total == faultsBefore else { return nil }
    }

    /// The fields of both platforms; false when the member is none of them.
    private mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        switch member.name {
        case "content": self.content = faults.text(of: member, at: base, bytesMax: PushLimits.textBytesMax)
        case "rich_media": self.richMedia = faults.optional(of: member, at: base, PushwooshValue.richMedia)
        case "link": self.link = faults.optional(of: member, at: base, FieldValue.link)
        case "data": self.data = faults.optional(of: member, at: base, PushwooshValue.object)
        case "apns_trim_content", "ios_trim_content":
            // Two names of one setting: either switches it on.
            let trims = faults.optional(of: member, at: base, PushwooshValue.flag)
            self.trimsContent = self.trimsContent || trims == true
        case "send_date": faults.optional(of: member, at: base, PushwooshValue.checkSendDate)
        case "ignore_user_timezone": _ = faults.optional(of: member, at: base, PushwooshValue.flag)
        default: return false
        }
        return true
    }
}

extension PushwooshNotification.Android {
    fileprivate mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        switch member.name {
        case "android_root_params":
            self.rootParams = PushwooshRootParams.readAndroid(member, at: base, &faults)
        case "android_sound":
            self.sound = faults.optional(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.string(value, bytesMax: PushLimits.nameBytesMax)
            }
        case "android_header":
            self.header = faults.text(of: member, at: base, bytesMax: PushLimits.textBytesMax)
        case "android_icon": self.icon = faults.text(of: member, at: base, bytesMax: PushLimits.nameBytesMax)
        case "android_custom_icon": self.customIcon = faults.optional(of: member, at: base, FieldValue.imageURL)
        case "android_banner": self.banner = faults.optional(of: member, at: base, FieldValue.imageURL)
        case "android_badges": self.badges = faults.optional(of: member, at: base, PushwooshValue.androidBadges)
        case "android_gcm_ttl": self.ttlSeconds = faults.optional(of: member, at: base, PushwooshValue.ttl)
        case "android_vibration": self.vibrates = faults.optional(of: member, at: base, PushwooshValue.flag)
        case "android_led": self.led = faults.optional(of: member, at: base, PushwooshValue.led)
        case "android_priority":
            self.priority = faults.optional(of: member, at: base) { value throws(FieldReason) in
                try FieldValue.integer(value, in: -2...2)
            }
        case "android_delivery_priority":
            self.deliveryPriority = faults.optional(of: member, at: base, FieldValue.priority)
        case "android_ibc": self.iconBackground = faults.optional(of: member, at: base, PushwooshValue.colorOrName)
        case "android_silent":
            self.isSilent = faults.optional(of: member, at: base, PushwooshValue.flag) ?? false
        default: return false
        }
        return true
    }
}

extension PushwooshNotification.IOS {
    fileprivate mutating func read(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        switch member.name {
        case "ios_root_params": self.rootParams = PushwooshRootParams.readIOS(member, at: base, &faults)
        case "ios_badges": self.badges = faults.optional(of: member, at: base, PushwooshValue.badges)
        case "ios_sound": self.sound = faults.text(of: member, at: base, bytesMax: PushLimits.nameBytesMax)
        case "ios_category_id": self.categoryID = faults.text(of: member, at: base, bytesMax: PushLimits.nameBytesMax)
        case "ios_ttl": self.ttlSeconds = faults.optional(of: member, at: base, PushwooshValue.ttl)
        case "ios_silent": self.isSilent = faults.optional(of: member, at: base, PushwooshValue.flag) ?? false
        case "ios_title": self.title = faults.text(of: member, at: base, bytesMax: PushLimits.textBytesMax)
        case "ios_subtitle": self.subtitle = faults.text(of: member, at: base, bytesMax: PushLimits.textBytesMax)
        default: return false
        }
        return true
    }
}

extension FieldFaults {
    /// The member's value; nil when it is null or at fault.
    @discardableResult fileprivate mutating func optional<Value>(
        of member: JSONMember, at base: FieldBase, _ read: (JSONValue) throws(FieldReason) -> Value
    ) -> Value? {
        member.value == .null ? nil : self.value(of: member, at: base, read)
    }

    /// The member's text; nil when it is null, empty or at fault.
    fileprivate mutating func text(of member: JSONMember, at base: FieldBase, bytesMax: Int) -> String? {
        let text = self.optional(of: member, at: base) { value throws(FieldReason) in
            try FieldValue.string(value, bytesMax: bytesMax)
        }
        return text?.isEmpty == true ? nil : text
    }
}
