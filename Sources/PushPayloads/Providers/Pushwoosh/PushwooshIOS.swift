import MessageIDs
import StrictJSON

extension PayloadProvider {
    /// Pushwoosh's keys beside `aps`, for APNs.
    static let pushwooshIOS = PayloadProvider(provider: Provider(rawValue: 21)) { message, base, options, faults in
        guard let notification = PushwooshNotification(message, at: base, faults: &faults) else { return nil }
        let ios = PushwooshIOS(notification: notification, options: options)
        guard ios.showsSomething else {
            faults.add(
                base.place, .emptyPayload, "Nothing to show: give content, ios_title, rich_media or ios_silent.")
            return nil
        }
        return PayloadShapes(base: ios.shape, uidBytesMax: PushwooshPayload.hashBytesMax)
    }
}

/// Lays out a notification for iOS.
struct PushwooshIOS {
    let notification: PushwooshNotification
    let options: PayloadOptions

    private var ios: PushwooshNotification.IOS { self.notification.ios }

    /// A text, a page, or a silent push; the sender's own `aps` counts.
    var showsSomething: Bool {
        let ownAPS = self.ownAPS
        return self.notification.richMedia != nil || ownAPS["content-available"]?.isOne ?? self.ios.isSilent
            || Self.isVisible(ownAPS["alert"])
            || !self.ios.isSilent && (self.notification.content ?? self.ios.title) != nil
    }

    var shape: PayloadShape {
        var payload = self.payload(body: self.notification.content)
        var size = PayloadSize.json(payload)
        if let trimmed = self.trimmedContent(of: size) {
            payload = self.payload(body: trimmed)
            size = .json(payload)
        }
        var delivery: [PayloadMember] = []
        delivery.add("apns-expiration", self.ios.ttlSeconds.map { .hole(.expiration(ttl: $0)) })
        return PayloadShape(payload: payload, size: size, delivery: delivery)
    }

    /// The whole payload with that text, in a fixed order: `aps`, the sender's own keys, the hub's.
    private func payload(body: String?) -> PayloadNode {
        var members = [PayloadMember("aps", .object(self.aps(body: body)))]
        members += self.ios.rootParams.filter { $0.name != "aps" }
        members.add("l", self.notification.link.map(PayloadNode.string))
        members.add("p", .hole(.uid))
        members.add("rm", self.notification.richMedia.map(Self.richMedia))
        members.add("u", self.notification.data.map { .text(of: .object($0)) })
        if !self.options.isDocumented {
            // Without it the SDK reports nothing.
            members.add("pw_msg", .string("1"))
            // So that an app without the SDK's reporting can report too.
            members.append(PayloadMember(HubMember.linksName, HubMember.links))
            members += HubMember.compatibleUID(self.options)
        }
        return .object(members)
    }

    private static let orderOfAPS = ["alert", "badge", "sound", "category", "content-available", "mutable-content"]

    /// The sender's own members win; the known ones come first, in the order above.
    private func aps(body: String?) -> [PayloadMember] {
        var aps = self.generatedAPS(body: body).merged(with: self.ownAPS)
        if !self.options.isDocumented, aps["alert"] != nil, aps["mutable-content"] == nil {
            // The delivery is reported by the notification service extension, which runs for such pushes only.
            aps.add("mutable-content", .integer(1))
        }
        var ordered: [PayloadMember] = []
        for name in Self.orderOfAPS { ordered.add(name, aps[name]) }
        return ordered + aps.filter { !Self.orderOfAPS.contains($0.name) }
    }

    /// A silent push has nothing that iOS would show or play.
    private func generatedAPS(body: String?) -> [PayloadMember] {
        var aps: [PayloadMember] = []
        if !self.ios.isSilent {
            var alert: [PayloadMember] = []
            alert.add("title", self.ios.title.map(PayloadNode.string))
            alert.add("subtitle", self.ios.subtitle.map(PayloadNode.string))
            alert.add("body", body.map(PayloadNode.string))
            aps.add("alert", alert.isEmpty ? nil : .object(alert))
            aps.add("badge", self.ios.badges.map(PayloadNode.integer))
            aps.add("sound", self.ios.sound.map(PayloadNode.string))
        }
        aps.add("category", self.ios.categoryID.map(PayloadNode.string))
        aps.add("content-available", self.ios.isSilent ? .integer(1) : nil)
        return aps
    }

    private var ownAPS: [PayloadMember] {
        guard case .object(let aps)? = self.ios.rootParams["aps"] else { return [] }
        return aps
    }

    private static func isVisible(_ alert: PayloadNode?) -> Bool {
        switch alert {
        case .string(let text)?: !text.isEmpty
        case .object(let members)?: !members.isEmpty
        default: false
        }
    }

    /// A page's time tells the phone when to load it anew; the hub does not know it, so each launch is one.
    private static func richMedia(_ code: String) -> PayloadNode {
        .object([
            PayloadMember("ts", .numberHole(.launchedAtSeconds)),
            PayloadMember("url", PushwooshPayload.richMediaURL(code)),
        ])
    }
}
