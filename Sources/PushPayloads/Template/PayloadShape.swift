import MessageIDs
package import StrictJSON

/// One finished form of a payload, still with its holes.
struct PayloadShape: Sendable {
    /// The payload itself.
    var payload: PayloadNode
    /// What the provider counts of it, and how much it takes.
    var size: PayloadSize
    var bytesMax: Int = PayloadShape.messageBytesMax
    /// What the provider wants beside the payload: APNs header fields, FCM's options.
    var delivery: [PayloadMember] = []

    /// FCM, APNs, HMS.
    static let messageBytesMax = 4096
    /// FCM, for a topic.
    static let topicBytesMax = 2048
}

/// A message's payloads for one provider.
struct PayloadShapes: Sendable {
    /// For a recipient with a token, of no or of an unknown locale.
    var base: PayloadShape
    /// For a topic; nil where the provider has none.
    var topic: PayloadShape?
    /// By locale, normalised: lower case, `-` between its parts.
    var localized: [String: PayloadShape] = [:]
    /// Sizes that must also be within their provider's bounds, whoever the recipient is.
    var alsoChecked: [PayloadShape] = []
    /// Whether the device reports by the message key alone, so that the hub must know the message beforehand.
    var needsStoredMessage = false
    /// The longest Full id that the device takes; nil where any length will do.
    var uidBytesMax: Int?
}

/// One provider's renderer. Adding a provider is adding a file with one of these, and its name to `table`.
struct PayloadProvider: Sendable {
    let provider: Provider
    /// Reads the message and lays out its payloads; adds every fault that it finds, and gives nil when there is one.
    let shapes:
        @Sendable (_ message: JSONValue, _ base: FieldBase, _ options: PayloadOptions, _ faults: inout FieldFaults)
            -> PayloadShapes?

    /// By code.
    static let table: [PayloadProvider] = [
        .androidFirebase,
        .iosFirebase,
        .iosAPNS,
        .iosAppMetrica,
        .androidAppMetrica,
        .androidHuawei,
        .iosHuawei,
        .androidRuStore,
        .androidFirebaseLegacy,
        .pushwooshAndroid,
        .pushwooshIOS,
        .carillonAndroid,
        .carillonIOS,
    ]
}

/// What a sender chooses of every payload's form.
package struct PayloadOptions: Hashable, Sendable {
    /// Exactly the vendor's documented form, where the provider's wire wants another (`"template": "documented"`).
    package var isDocumented: Bool
    /// `ak_uid` beside `_uid`.
    package var hasAkUID: Bool
    /// The most bytes that both links together can have, for texts that are trimmed to fit.
    package var linkBytesMax: Int

    package init(isDocumented: Bool = false, hasAkUID: Bool = false, linkBytesMax: Int) {
        self.isDocumented = isDocumented
        self.hasAkUID = hasAkUID
        self.linkBytesMax = linkBytesMax
    }
}

extension FieldFault.Code {
    /// A custom field has a name that the provider or the hub keeps for itself.
    package static let reservedName = FieldFault.Code(rawValue: "reserved_name")
    /// There is nothing to show.
    package static let emptyPayload = FieldFault.Code(rawValue: "empty_payload")
    /// The finished payload has more bytes than its provider takes.
    package static let payloadTooLarge = FieldFault.Code(rawValue: "payload_too_large")
    /// An image's address is no https URL.
    package static let invalidImageURL = FieldFault.Code(rawValue: "invalid_image_url")
}
