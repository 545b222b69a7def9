extension PayloadProvider {
    /// Code 8: RuStore, a drop-in for FCM v1 with the data map beside `android`.
    static let androidRuStore = PayloadProvider(altcraft: 8, rules: .android) { layout in
        let data = layout.dataMap([
            .marker, .title, .uid, .provider, .body, .icon, .image, .launchID, .vibration, .soundless, .color,
            .clickAction, .hubLink, .buttons,
        ])
        let message = PayloadNode.object([
            PayloadMember("token", .hole(.token)), PayloadMember("data", .object(data)),
            PayloadMember("android", .object(layout.delivery("priority", documented: .high))),
        ])
        return PayloadShapes(
            base: PayloadShape(payload: .object([PayloadMember("message", message)]), size: .strings(data)))
    }
}
