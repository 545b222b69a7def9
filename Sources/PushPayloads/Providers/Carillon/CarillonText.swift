import StrictJSON

/// What a person sees of a Carillon notification, and what an entry of `localizations` may replace of it.
///
/// nil is a field that was not given. An empty text is one that was: in a localization it takes the base's away.
struct CarillonText: Sendable, Equatable {
    var title: String?
    var subtitle: String?
    var body: String?
    /// An https URL.
    var image: String?

    /// Whether there is a title or a body: a subtitle alone shows nothing on Android.
    var hasMessage: Bool { self.title?.isEmpty == false || self.body?.isEmpty == false }

    /// Takes the member if it is one of these fields; false when it is another.
    mutating func take(_ member: JSONMember, at base: FieldBase, _ faults: inout FieldFaults) -> Bool {
        switch member.name {
        case "title": self.title = faults.value(of: member, at: base, Self.read)
        case "subtitle": self.subtitle = faults.value(of: member, at: base, Self.read)
        case "body": self.body = faults.value(of: member, at: base, Self.read)
        case "image": self.image = faults.value(of: member, at: base, FieldValue.imageURL)
        default: return false
        }
        return true
    }

    /// A text that is too long makes a payload that is too large, whatever else is in it: so the document calls it.
    private static func read(_ value: JSONValue) throws(FieldReason) -> String {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard text.utf8.count <= PushLimits.textBytesMax else {
            throw FieldReason(
                code: .payloadTooLarge, detail: "Must have at most \(PushLimits.textBytesMax) bytes of UTF-8.")
        }
        return text
    }

    /// `localized` laid over it: an entry replaces only what it carries.
    func localized(by localized: CarillonText) -> CarillonText {
        CarillonText(
            title: localized.title ?? self.title, subtitle: localized.subtitle ?? self.subtitle,
            body: localized.body ?? self.body, image: localized.image ?? self.image)
    }

    /// The texts that are not empty, in the order of APNs' alert.
    var alert: [PayloadMember] {
        [("title", self.title), ("subtitle", self.subtitle), ("body", self.body)].compactMap { name, text in
            guard let text, !text.isEmpty else { return nil }
            return PayloadMember(name, .string(text))
        }
    }
}
