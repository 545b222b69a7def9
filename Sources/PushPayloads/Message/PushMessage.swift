import StrictJSON

/// The `message` of a payload request, as all of Altcraft's shapes read it (codes 1–9).
///
/// One message goes to many providers: what a shape has no place for is checked and left out. A null optional field is an
/// absent one.
struct PushMessage: Sendable, Equatable {
    /// At least one of title and body is not empty.
    var title = ""
    var body = ""
    /// Apple only.
    var subtitle: String?
    /// A web address or the name of an asset of the app.
    var icon: String?
    var image: String?
    /// A web address or a deeplink.
    var clickURL: String?
    var color: String?
    var ledColor: String?
    /// A sound file of the app; nil is the device's default.
    var sound: String?
    var isVibrating = false
    var isSoundless = false
    var priority = PushPriority.high
    /// For how many seconds after its send time the message is worth delivering; nil leaves it to the provider.
    var ttl: Int64?
    var badge: Int64?
    var buttons: [PushButton] = []
    /// Custom fields for this provider: the base ones, those of its platform laid over them by name.
    var custom: [PayloadMember] = []
    var appMetrica = AppMetricaFields()

    /// Reads everything and reports every bad field; nil when there is one.
    init?(_ value: JSONValue, at base: FieldBase, rules: PushMessageRules, _ faults: inout FieldFaults) {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return nil
        }
        let faultsBefore = faults.total
        for member in members {
            guard let field = Field(rawValue: member.name) else {
                faults.addUnknownField(member.name, at: base)
                continue
            }
            if !member.value.isNull { self.read(field, member, at: base, rules, &faults) }
        }
        self.custom = Self.custom(in: members, at: base, rules, &faults)
        if !members.contains(where: Self.isText) {
            faults.add(base.place, .emptyPayload, "Needs a title or a body that is not empty.")
        }
        if rules.needsAppMetricaGroup { AppMetricaFields.requireGroup(in: members, at: base, &faults) }
        guard faults.total == faultsBefore else { return nil }
    }

    /// Whether the member gives something to show. What it gives may be at fault, which is then said at the member.
    private static func isText(_ member: JSONMember) -> Bool {
        (member.name == "title" || member.name == "body") && member.value != .null && member.value != .string("")
    }
}
