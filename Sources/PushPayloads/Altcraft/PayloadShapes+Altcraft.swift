extension PayloadShapes {
    /// FCM v1, to a token or a topic: `{message: {token, android}}` or `{message: {token, apns}}`.
    static func firebase(_ platform: PayloadMember, size: PayloadSize) -> PayloadShapes {
        func shape(_ name: String, _ hole: PayloadHole, bytesMax: Int) -> PayloadShape {
            let message = PayloadNode.object([PayloadMember(name, .hole(hole)), platform])
            return PayloadShape(
                payload: .object([PayloadMember("message", message)]), size: size, bytesMax: bytesMax)
        }
        return PayloadShapes(
            base: shape("token", .token, bytesMax: PayloadShape.messageBytesMax),
            topic: shape("topic", .topic, bytesMax: PayloadShape.topicBytesMax))
    }

    /// HMS, which takes a list of tokens and counts the whole request without them.
    static func huawei(_ members: [PayloadMember]) -> PayloadShapes {
        let tokens = PayloadMember("token", .array([.hole(.token)]))
        let payload = PayloadNode.object([PayloadMember("message", .object([tokens] + members))])
        return PayloadShapes(base: PayloadShape(payload: payload, size: .json(payload)))
    }
}
