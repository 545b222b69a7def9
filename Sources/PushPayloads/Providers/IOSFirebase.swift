extension PayloadProvider {
    /// Code 2: FCM v1 with an APNs payload inside, which is what APNs counts.
    static let iosFirebase = PayloadProvider(altcraft: 2, rules: .apple) { layout in
        let payload = layout.applePayload(
            aps: [.category, .sound, .mutableContent, .alert],
            [.uid, .provider, .launchID, .marker, .clickURL, .media, .soundless, .hubLink, .buttons], hubLink: .text)
        return .firebase(PayloadMember("apns", .object(layout.appleEnvelope(payload))), size: .json(payload))
    }
}
