import StrictJSON

extension AltcraftLayout {
    static let appMetricaHubLink = "hub_link"

    /// A `push_batch_request` of one message for one device.
    ///
    /// AppMetrica hands a message on to FCM or APNs and states no limit of its own: theirs is held against `messages`.
    ///
    /// - Parameters:
    ///   - platform: `iOS` or `android`.
    ///   - content: The platform's own fields of the content, between its text and `data`.
    ///   - dataFields: The platform's own fields of `data`, after the links.
    func appMetricaShapes(
        platform: String, content: [PayloadMember], dataFields: [PayloadMember] = [], deviceIDType: String
    ) -> PayloadShapes {
        var push = [
            PayloadMember("silent", .bool(self.message.isSoundless)),
            PayloadMember(
                "content",
                .object(
                    [
                        PayloadMember("title", .string(self.message.title)),
                        PayloadMember("text", .string(self.message.body)),
                    ] + content + [PayloadMember("data", .text(of: .object(self.appMetricaData(dataFields))))])),
        ]
        push.add("open_action", self.openAction)
        let messages = PayloadNode.object([PayloadMember(platform, .object(push))])
        let device = PayloadNode.object([
            PayloadMember("id_values", .array([.hole(.token)])), PayloadMember("id_type", .string(deviceIDType)),
        ])
        var request: [PayloadMember] = []
        request.add("group_id", self.message.appMetrica.groupID.map(PayloadNode.integer))
        request.add("tag", self.optional(self.message.appMetrica.tag))
        request.add(
            "batch",
            .array([
                .object([PayloadMember("messages", messages), PayloadMember("devices", .array([device]))])
            ]))
        return PayloadShapes(
            base: PayloadShape(
                payload: .object([PayloadMember("push_batch_request", .object(request))]), size: .json(messages)))
    }

    /// What the app gets: there is no `_uid` in this structure, so the links come first.
    private func appMetricaData(_ fields: [PayloadMember]) -> [PayloadMember] {
        [PayloadMember(Self.appMetricaHubLink, HubMember.linksAckFirst)] + fields
            + HubMember.compatibleUID(self.options) + self.message.custom
    }

    /// `url` for a web address, `deeplink` for any other scheme; the documented form has both.
    private var openAction: PayloadNode? {
        let link = self.message.clickURL
        let isOfWeb = link.map(FieldValue.isOfWeb) ?? false
        var action: [PayloadMember] = []
        action.add("url", self.optional(isOfWeb ? link : nil))
        action.add("deeplink", self.optional(isOfWeb ? nil : link))
        return action.isEmpty ? nil : .object(action)
    }
}
