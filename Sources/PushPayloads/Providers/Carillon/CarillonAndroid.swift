import MessageIDs
import StrictJSON

/// Carillon's notification as FCM v1 gets it: the body of `messages:send`.
struct CarillonAndroid: Sendable {
    let payload: CarillonPayload
    let options: PayloadOptions

    /// FCM has no place for a subtitle, and none for a thread: that one is in the stamp.
    ///
    /// Without title and body there is no notification, only data: FCM would show an empty one.
    func shape(_ text: CarillonText) -> PayloadShape {
        let stamp = CarillonStamp(options: self.options)
            .members(image: text.image, threadID: self.payload.threadID)
        var message: [PayloadMember] = []
        message.add("notification", text.hasMessage ? .object(text.alert.filter { $0.name != "subtitle" }) : nil)
        message.append(PayloadMember("data", Self.map(self.payload.data + stamp)))
        message.append(PayloadMember("android", .object(self.android(text, stamp: stamp))))
        // The token is where the message goes, no part of it.
        let size = PayloadSize.json(.object(message))
        let addressed = [PayloadMember("token", .hole(.token))] + message
        return PayloadShape(payload: .object([PayloadMember("message", .object(addressed))]), size: size)
    }

    /// The generated configuration, the sender's override over it, and then the stamp in the override's data: FCM gives
    /// the app those in the place of the message's.
    private func android(_ text: CarillonText, stamp: [PayloadMember]) -> [PayloadMember] {
        var android: [PayloadMember] = []
        android.add("collapse_key", self.payload.collapseID.map(PayloadNode.string))
        android.append(PayloadMember("priority", .string(self.payload.priority.rawValue)))
        android.append(PayloadMember("ttl", .string("\(self.payload.ttl)s")))
        if text.hasMessage || self.payload.android.hasNotification {
            android.append(PayloadMember("notification", .object(self.notification(text))))
        }
        android = android.merged(with: self.payload.android.members)
        android.add("data", self.payload.android.data.map { Self.map($0 + stamp) })
        return android
    }

    private func notification(_ text: CarillonText) -> [PayloadMember] {
        var notification = [PayloadMember("sound", .string(self.payload.sound))]
        notification.add("image", text.image.map(PayloadNode.string))
        notification.add("notification_count", self.payload.badge.map(PayloadNode.integer))
        return notification
    }

    /// FCM's data are a map of strings.
    private static func map(_ members: [PayloadMember]) -> PayloadNode {
        .object(members.map { PayloadMember($0.name, $0.value.asString) })
    }
}

extension PayloadProvider {
    static let carillonAndroid = PayloadProvider(provider: Provider(rawValue: 30)) { message, base, options, faults in
        guard let payload = CarillonPayload(message, at: base, &faults) else { return nil }
        return payload.shapes(
            own: CarillonAndroid(payload: payload, options: options).shape,
            other: CarillonIOS(payload: payload, options: options).shape)
    }
}
