extension AltcraftLayout {
    /// The members of `aps`, by their names.
    enum APSField: String, Sendable {
        case category, sound, alert
        case mutableContent = "mutable-content"
    }

    /// An APNs payload: `aps` and the system fields in the given orders, then the custom fields as they came.
    func applePayload(aps: [APSField], _ order: [AltcraftField], hubLink: HubLinkForm) -> PayloadNode {
        var members = aps.map { PayloadMember($0.rawValue, self.value(of: $0)) }
        // The document has no badge.
        if !self.options.isDocumented { members.add("badge", self.message.badge.map(PayloadNode.integer)) }
        return .object(
            [PayloadMember("aps", .object(members))] + self.members(order, hubLink: hubLink) + self.message.custom)
    }

    private func value(of field: APSField) -> PayloadNode {
        switch field {
        case .category: .string(Self.platformName)
        // The document writes it without quotes; APNs takes a string only.
        case .sound: .string(self.message.isSoundless ? "" : self.message.sound ?? "default")
        // Without it no service extension runs, and so no delivery is reported.
        case .mutableContent: .integer(1)
        case .alert: .object(self.alert)
        }
    }

    private var alert: [PayloadMember] {
        var alert = [PayloadMember("title", .string(self.message.title))]
        alert.add("subtitle", self.optional(self.message.subtitle))
        alert.add("body", .string(self.message.body))
        return alert
    }

    /// APNs' header fields. The document calls its expiration a lifetime in seconds, and has no priority; APNs takes the
    /// UNIX time at which the message expires, and for a message that need not wake the device a priority of 5.
    func appleHeaders(isDocumented: Bool) -> [PayloadMember] {
        var headers: [PayloadMember] = []
        headers.add(
            "apns-expiration",
            self.message.ttl.map { isDocumented ? .string(String($0)) : .hole(.expiration(ttl: $0)) })
        if self.message.priority == .normal && !isDocumented { headers.add("apns-priority", .string("5")) }
        return headers
    }

    /// The `apns` object of FCM and HMS: header fields, where there are any, and the payload.
    func appleEnvelope(_ payload: PayloadNode) -> [PayloadMember] {
        let headers = self.appleHeaders(isDocumented: self.options.isDocumented)
        return (headers.isEmpty ? [] : [PayloadMember("headers", .object(headers))])
            + [PayloadMember("payload", payload)]
    }
}
