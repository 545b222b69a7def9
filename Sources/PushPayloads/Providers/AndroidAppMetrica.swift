import StrictJSON

extension PayloadProvider {
    /// Code 5: AppMetrica's batch for an Android device, named by its advertising id.
    static let androidAppMetrica = PayloadProvider(
        altcraft: 5, rules: PushMessageRules(platform: .android, needsAppMetricaGroup: true)
    ) { layout in
        var content: [PayloadMember] = []
        content.add("time_to_live", layout.message.ttl.map(PayloadNode.integer))
        // AppMetrica has it, the document does not.
        if !layout.options.isDocumented { content.add("urgency", .string(layout.message.priority.word)) }
        // AppMetrica loads it: the name of an asset and an address without TLS have no place here.
        let icon = layout.message.icon.flatMap { try? FieldValue.imageURL(.string($0)) }
        content.add("image", layout.optional(icon))
        content.add("icon_background", layout.optional(layout.message.color))
        content.add("banner", layout.optional(layout.message.image))
        content.add("led_color", layout.optional(layout.message.ledColor))
        return layout.appMetricaShapes(platform: "android", content: content, deviceIDType: "google_aid")
    }
}
