import MessageIDs
import StrictJSON

extension PayloadProvider {
    /// Pushwoosh's flat keys, as FCM's data map.
    static let pushwooshAndroid = PayloadProvider(provider: Provider(rawValue: 20)) { message, base, options, faults in
        guard let notification = PushwooshNotification(message, at: base, faults: &faults) else { return nil }
        let android = PushwooshAndroid(notification: notification, options: options)
        guard android.showsSomething else {
            faults.add(
                base.place, .emptyPayload,
                "Nothing to show: give content, android_header, rich_media or android_silent.")
            return nil
        }
        return PayloadShapes(base: android.shape, uidBytesMax: PushwooshPayload.hashBytesMax)
    }
}

/// Lays out a notification for Android.
struct PushwooshAndroid {
    let notification: PushwooshNotification
    let options: PayloadOptions

    private var android: PushwooshNotification.Android { self.notification.android }

    var showsSomething: Bool {
        self.notification.content != nil || self.android.header != nil || self.notification.richMedia != nil
            || self.android.isSilent
    }

    /// The documented form has members that FCM would not take; all are measured as the strings that FCM counts.
    var shape: PayloadShape {
        let members = self.members
        let strings = members.map { PayloadMember($0.name, $0.value.asString) }
        return PayloadShape(payload: .object(members), size: .strings(strings), delivery: self.delivery)
    }

    /// In the order of the document's example. The wire form has strings only.
    private var members: [PayloadMember] {
        let isDocumented = self.options.isDocumented
        let content = self.notification.content.map(PayloadNode.string)
        let data = self.notification.data.map(PayloadNode.object)
        var members = self.android.rootParams.map { PayloadMember($0.name, $0.value.asString) }
        if self.android.isSilent { members.add("pw_silent", .string("1")) }
        if isDocumented {
            members.add("google.ttl", self.android.ttlSeconds.map(PayloadNode.integer))
            members.add("google.original_priority", self.android.deliveryPriority.map { .string($0.word) })
        }
        members.add("header", self.android.header.map(PayloadNode.string))
        // The SDK shows `title` below `header`; the document's example does not have it.
        if !isDocumented { members.add("title", content) }
        members.add("pw_msg", .string("1"))
        members.add("b", self.android.banner.map(PayloadNode.string))
        members.add("i", self.android.icon.map(PayloadNode.string))
        members.add("l", self.notification.link.map(PayloadNode.string))
        members.add("p", .hole(.uid))
        members.add("s", self.android.sound.map(PayloadNode.string))
        if isDocumented { members.add("userdata", data) }
        members.add("u", data.map { .text(of: $0) })
        members.add("ci", self.android.customIcon.map(PayloadNode.string))
        members.add("rm", self.notification.richMedia.map(Self.richMedia))
        members.add("ibc", self.android.iconBackground.map(PayloadNode.string))
        members.add("led", self.android.led.map(PayloadNode.string))
        members.add("pri", self.android.priority.map { .string(String($0)) })
        members.add("vib", self.android.vibrates.map { .string($0 ? "1" : "0") })
        members.add("pw_badges", self.android.badges.map(PayloadNode.string))
        if !isDocumented {
            // So that an app without the SDK's reporting can report too.
            members.add(HubMember.linksName, .text(of: HubMember.links))
            members += HubMember.compatibleUID(self.options)
        }
        return members
    }

    /// A page's time tells the phone when to load it anew; the hub does not know it, so each launch is one.
    private static func richMedia(_ code: String) -> PayloadNode {
        .text(
            of: .object([
                PayloadMember("url", PushwooshPayload.richMediaURL(code)),
                PayloadMember("ts", .hole(.launchedAtSeconds)),
            ]))
    }

    /// FCM v1's `android` fields: they have no place in a data map.
    private var delivery: [PayloadMember] {
        var delivery: [PayloadMember] = []
        delivery.add("priority", self.android.deliveryPriority.map { .string($0.rawValue) })
        delivery.add("ttl", self.android.ttlSeconds.map { .string("\($0)s") })
        return delivery
    }
}
