import StrictJSON

/// One notification of a Pushwoosh createMessage request, as far as it says what the phone gets.
///
/// Both platforms' fields are read whichever of them is rendered, so that one message serves both. Empty texts count as
/// absent. `send_date` and `ignore_user_timezone` say when to send, which is the sender's business: they are checked
/// and not kept.
struct PushwooshNotification: Sendable {
    /// The text to show.
    var content: String?
    /// A rich media page's code: `1E23F-EDCD6`.
    var richMedia: String?
    /// Opened by a tap.
    var link: String?
    /// Custom data, for the app.
    var data: [PayloadMember]?
    /// Whether a text that is too long for APNs is cut: `apns_trim_content` or `ios_trim_content`.
    var trimsContent = false
    var android = Android()
    var ios = IOS()

    /// The fields `android_…`.
    struct Android: Sendable {
        /// Laid beside the payload's own keys.
        var rootParams: [PayloadMember] = []
        /// A resource's name; an empty one means no sound, which is why it is kept.
        var sound: String?
        var header: String?
        /// A drawable's name.
        var icon: String?
        var customIcon: String?
        var banner: String?
        /// `5`, or `+1` and `-1` for a change to what the badge shows.
        var badges: String?
        var ttlSeconds: Int64?
        var vibrates: Bool?
        /// `#rrggbb`, in lower case.
        var led: String?
        /// Android's notification priority, −2 … 2.
        var priority: Int64?
        /// How soon FCM delivers to a phone that sleeps.
        var deliveryPriority: PushPriority?
        /// A colour or a colour's name.
        var iconBackground: String?
        var isSilent = false
    }

    /// The fields `ios_…`.
    struct IOS: Sendable {
        /// Laid beside the payload's own keys, but for `aps`, which is laid over the payload's, recursively.
        var rootParams: [PayloadMember] = []
        var badges: Int64?
        var sound: String?
        var categoryID: String?
        var ttlSeconds: Int64?
        var isSilent = false
        var title: String?
        var subtitle: String?
    }
}
