extension PayloadProvider {
    /// Code 4: AppMetrica's batch for an iOS device, named by its push token.
    ///
    /// The links, the icon and the image are in `data`, a string for the app.
    static let iosAppMetrica = PayloadProvider(
        altcraft: 4,
        rules: PushMessageRules(platform: .ios, needsAppMetricaGroup: true, alsoReserved: ["icon", "media"])
    ) { layout in
        var content: [PayloadMember] = []
        content.add("badge", layout.message.badge.map(PayloadNode.integer))
        content.add("expiration", layout.message.ttl.map(PayloadNode.integer))
        var data: [PayloadMember] = []
        data.add("icon", layout.optional(layout.message.icon))
        data.add("media", layout.optional(layout.message.image))
        return layout.appMetricaShapes(
            platform: "iOS", content: content, dataFields: data, deviceIDType: "ios_push_token")
    }
}
