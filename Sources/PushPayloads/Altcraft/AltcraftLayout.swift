import MessageIDs

/// Lays a message out in the parts that Altcraft's structures are made of.
///
/// Source: Altcraft's page "Providers: push message structure". Each provider's file puts the parts in that page's order.
struct AltcraftLayout: Sendable {
    let message: PushMessage
    let provider: Provider
    let options: PayloadOptions

    /// The marker's value, and the category of every Apple notification.
    static let platformName = "Altcraft"

    /// How `_hub_link` is written. No SDK reads it: it is for apps that call the links themselves.
    enum HubLinkForm: Sendable {
        case object
        /// A string that holds the object's JSON.
        case text
    }

    /// The system fields in the given order.
    ///
    /// A field without a value is left out on the wire, and an empty string in the documented form, which always has every
    /// field of the document. `ak_uid`, where it is wanted, follows `_uid`.
    func members(_ order: [AltcraftField], hubLink: HubLinkForm) -> [PayloadMember] {
        var members: [PayloadMember] = []
        for field in order {
            members.add(field.rawValue, self.value(of: field, hubLink))
            if field == .uid { members += HubMember.compatibleUID(self.options) }
        }
        return members
    }

    private func value(of field: AltcraftField, _ hubLink: HubLinkForm) -> PayloadNode? {
        switch field {
        case .marker: .string(Self.platformName)
        case .uid, .compatibleUID: .hole(.uid)
        case .launchID: .hole(.launchID)
        case .provider: .string(self.provider.label ?? self.provider.name)
        case .title: .string(self.message.title)
        case .body: .string(self.message.body)
        case .icon: self.optional(self.message.icon)
        case .image, .media: self.optional(self.message.image)
        case .color: self.optional(self.message.color)
        case .clickAction, .clickURL: self.optional(self.message.clickURL)
        case .vibration: PayloadNode.bool(self.message.isVibrating).asString
        case .soundless: PayloadNode.bool(self.message.isSoundless).asString
        case .hubLink:
            switch hubLink {
            case .object: HubMember.links
            case .text: .text(of: HubMember.links)
            }
        // The iOS SDK opens no `_click-url` unless this is a string.
        case .buttons: .text(of: .array(self.message.buttons.map(\.node)))
        }
    }

    /// An absent text: nothing on the wire, an empty string in the documented form.
    func optional(_ text: String?) -> PayloadNode? {
        if let text { return .string(text) }
        return self.options.isDocumented ? .string("") : nil
    }
}
