extension PayloadProvider {
    /// Code 9: FCM's legacy interface. Parameters stand at the root, custom data in the data map beside the system fields.
    ///
    /// The vendor shows no template of it; the data map is that of v1.
    static let androidFirebaseLegacy = PayloadProvider(altcraft: 9, rules: .android) { layout in
        let data = layout.dataMap(AltcraftField.firebaseData)
        func shape(to hole: PayloadHole, bytesMax: Int) -> PayloadShape {
            var root = [
                PayloadMember("to", .hole(hole)),
                PayloadMember("priority", .string(layout.message.priority.word)),
            ]
            root.add("time_to_live", layout.message.ttl.map(PayloadNode.integer))
            root.add("data", .object(data))
            return PayloadShape(payload: .object(root), size: .strings(data), bytesMax: bytesMax)
        }
        return PayloadShapes(
            base: shape(to: .token, bytesMax: PayloadShape.messageBytesMax),
            topic: shape(to: .topicPath, bytesMax: PayloadShape.topicBytesMax))
    }
}
