/// What one provider asks of a message beyond what all do.
struct PushMessageRules: Sendable {
    /// Raw values are the message's members that hold the platform's custom data.
    enum Platform: String, Sendable {
        case android, ios
    }

    var platform: Platform
    var buttonsMax = PushMessageRules.androidButtonsMax
    var ttlMax: Int64 = PushLimits.ttlSecondsMax
    var needsAppMetricaGroup = false
    /// Names that no custom field may have, beside those of every shape.
    var alsoReserved: Set<String> = []

    /// The shape itself bounds no list of buttons; Android shows three actions and drops the rest.
    static let androidButtonsMax = 16
    /// The iOS SDK knows `button0` to `button2`.
    static let appleButtonsMax = 3
    /// HMS on Android: 15 days.
    static let huaweiTTLSecondsMax: Int64 = 1_296_000

    static let android = PushMessageRules(platform: .android)
    static let apple = PushMessageRules(platform: .ios, buttonsMax: Self.appleButtonsMax)

    /// The document's common table names it, none of its structures has it: a client may look for it all the same.
    private static let unwrittenName = "_subtitle"

    /// Whether a custom field of that name would meet a system field of any of the shapes: the same message goes to all.
    func isReserved(_ name: String) -> Bool {
        AltcraftField(rawValue: name) != nil || name == "aps" || name == AltcraftLayout.appMetricaHubLink
            || name == Self.unwrittenName || CustomData.isReservedByFCM(name) || self.alsoReserved.contains(name)
    }
}
