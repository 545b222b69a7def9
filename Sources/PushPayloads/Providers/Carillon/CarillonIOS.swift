import MessageIDs
import StrictJSON

/// Carillon's notification as APNs gets it, with its header fields beside it.
struct CarillonIOS: Sendable {
    let payload: CarillonPayload
    let options: PayloadOptions

    /// The generated payload, the sender's override over it, and then what no override can change.
    func shape(_ text: CarillonText) -> PayloadShape {
        let generated = [PayloadMember("aps", .object(self.aps(text)))] + self.payload.data
        let stamp = CarillonStamp(options: self.options).members(image: text.image, threadID: nil)
        let members = generated.merged(with: self.payload.apns) + stamp
        let node = PayloadNode.object(members)
        return PayloadShape(
            payload: node, size: .json(node), delivery: self.headerFields(isBackground: Self.isBackground(members)))
    }

    private func aps(_ text: CarillonText) -> [PayloadMember] {
        var aps: [PayloadMember] = []
        aps.add("alert", text.alert.isEmpty ? nil : .object(text.alert))
        aps.add("badge", self.payload.badge.map(PayloadNode.integer))
        aps.append(PayloadMember("sound", .string(self.payload.sound)))
        aps.add("thread-id", self.payload.threadID.map(PayloadNode.string))
        // An extension gets its 30 seconds to fetch the image.
        aps.add("mutable-content", text.image == nil ? nil : .integer(1))
        return aps
    }

    /// Text, as header fields are. The expiry counts from the send, and does not move when the sender tries again.
    private func headerFields(isBackground: Bool) -> [PayloadMember] {
        // APNs takes 10 for a background notification as an error.
        let isHigh = self.payload.priority == .high && !isBackground
        var fields = [
            PayloadMember("apns-expiration", .hole(.expiration(ttl: self.payload.ttl))),
            PayloadMember("apns-priority", .string(isHigh ? "10" : "5")),
            PayloadMember("apns-push-type", .string(isBackground ? "background" : "alert")),
        ]
        fields.add("apns-collapse-id", self.payload.collapseID.map(PayloadNode.string))
        return fields
    }

    /// Whether an override made it one that wakes the app and shows nothing: APNs refuses a type that the content belies.
    private static func isBackground(_ members: [PayloadMember]) -> Bool {
        guard case .object(let aps)? = members["aps"], aps["content-available"]?.isOne == true else { return false }
        return ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil || aps[$0] == .null }
    }
}

extension PayloadProvider {
    static let carillonIOS = PayloadProvider(provider: Provider(rawValue: 31)) { message, base, options, faults in
        guard let payload = CarillonPayload(message, at: base, &faults) else { return nil }
        return payload.shapes(
            own: CarillonIOS(payload: payload, options: options).shape,
            other: CarillonAndroid(payload: payload, options: options).shape)
    }
}
