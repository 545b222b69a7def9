extension PayloadProvider {
    /// Code 7: HMS with an APNs payload inside. As for APNs itself, the wire form adds the `_launch_id` that the document
    /// does not have.
    static let iosHuawei = PayloadProvider(altcraft: 7, rules: .apple) { layout in
        let launchID: [AltcraftField] = layout.options.isDocumented ? [] : [.launchID]
        let payload = layout.applePayload(
            aps: [.category, .mutableContent, .sound, .alert],
            [.marker, .provider, .clickURL, .soundless, .uid] + launchID + [.media, .hubLink, .buttons],
            hubLink: .object)
        // The document has this value always.
        let options = PayloadNode.object([PayloadMember("target_user_type", .integer(1))])
        return .huawei([
            PayloadMember("apns", .object(layout.appleEnvelope(payload) + [PayloadMember("hms_options", options)]))
        ])
    }
}
