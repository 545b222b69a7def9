extension PayloadProvider {
    /// Code 1: FCM v1, a data message that the app's SDK shows.
    static let androidFirebase = PayloadProvider(altcraft: 1, rules: .android) { layout in
        let data = layout.dataMap(AltcraftField.firebaseData)
        let android = layout.delivery("priority") + [PayloadMember("data", .object(data))]
        return .firebase(PayloadMember("android", .object(android)), size: .strings(data))
    }
}

extension AltcraftField {
    /// The order of Firebase's data map, in both of its interfaces.
    static let firebaseData: [AltcraftField] = [
        .marker, .uid, .launchID, .title, .provider, .body, .icon, .clickAction, .color, .image, .vibration,
        .soundless, .hubLink, .buttons,
    ]
}
