extension PayloadProvider {
    /// Code 3: APNs itself. Its header fields stand beside the payload, as a sender puts them into the request.
    ///
    /// The document has no `_launch_id` here; the wire form adds it, so that a launch can be told on every device.
    static let iosAPNS = PayloadProvider(altcraft: 3, rules: .apple) { layout in
        let launchID: [AltcraftField] = layout.options.isDocumented ? [] : [.launchID]
        let payload = layout.applePayload(
            aps: [.category, .mutableContent, .sound, .alert],
            [.marker, .clickURL, .soundless, .media, .uid] + launchID + [.provider, .hubLink, .buttons],
            hubLink: .object)
        // The document knows no header fields, so there is no other form of them than APNs' own.
        return PayloadShapes(
            base: PayloadShape(
                payload: payload, size: .json(payload), delivery: layout.appleHeaders(isDocumented: false)))
    }
}
