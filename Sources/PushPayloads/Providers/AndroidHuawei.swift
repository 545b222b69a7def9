extension PayloadProvider {
    /// Code 6: HMS on Android. The document's `data` is an object; HMS takes one string that holds it.
    static let androidHuawei = PayloadProvider(
        altcraft: 6, rules: PushMessageRules(platform: .android, ttlMax: PushMessageRules.huaweiTTLSecondsMax)
    ) { layout in
        let data = PayloadNode.object(
            layout.dataMap([
                .marker, .title, .uid, .provider, .body, .launchID, .vibration, .soundless, .hubLink, .icon,
                .clickAction, .color, .image, .buttons,
            ]))
        return .huawei([
            PayloadMember("data", layout.options.isDocumented ? data : .text(of: data)),
            PayloadMember("android", .object(layout.delivery("urgency", documented: .high))),
        ])
    }
}
