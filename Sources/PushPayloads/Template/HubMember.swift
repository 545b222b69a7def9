/// What the hub itself puts into a payload, whoever's: the links and the message's id, under Altcraft's names.
enum HubMember {
    static let linksName = AltcraftField.hubLink.rawValue
    static let compatibleUIDName = AltcraftField.compatibleUID.rawValue

    /// Both links, in the order of `_hub_link`.
    static let links = PayloadNode.object([Self.open, Self.ack])
    /// Both links, in the order of AppMetrica's `hub_link`.
    static let linksAckFirst = PayloadNode.object([Self.ack, Self.open])

    private static let open = PayloadMember("open", .hole(.openLink))
    private static let ack = PayloadMember("ack", .hole(.ackLink))

    /// `ak_uid`, where it is wanted.
    static func compatibleUID(_ options: PayloadOptions) -> [PayloadMember] {
        options.hasAkUID ? [PayloadMember(Self.compatibleUIDName, .hole(.uid))] : []
    }
}
