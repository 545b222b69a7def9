import StrictJSON

/// A notification as a sender of Carillon writes it: the `payload` of `POST /v1/messages` (Carillon, Notification payloads).
struct CarillonPayload: Sendable {
    /// APNs: apns-collapse-id.
    static let collapseIDBytesMax = 64
    /// 72 hours.
    static let ttlDefault: Int64 = 259_200

    /// Of a device without a locale, or of one that no localization is for.
    var text = CarillonText()
    /// Seconds from the send; 0 is "now or never".
    var ttl = Self.ttlDefault
    var priority = PushPriority.high
    /// A newer notification with the same one replaces the older while that is pending.
    var collapseID: String?
    var threadID: String?
    var sound = "default"
    var badge: Int64?
    /// Scalars only.
    var data: [PayloadMember] = []
    /// In order of appearance, no two of the same locale.
    var localizations: [CarillonLocalization] = []
    var android = CarillonAndroidOverride()
    /// Laid over the APNs payload.
    var apns: [PayloadMember] = []
}
