import StrictJSON

/// One entry of `localizations`: what the notification says in one locale.
struct CarillonLocalization: Sendable {
    static let countMax = 200

    /// As the sender wrote it.
    var name: String
    /// As a recipient's locale is compared with it.
    var locale: String
    var text: CarillonText

    /// The entries of a `localizations` object, with a fault for each that is wrong.
    static func read(_ value: JSONValue, at base: FieldBase, _ faults: inout FieldFaults) -> [CarillonLocalization] {
        guard case .object(let entries) = value else {
            faults.add(base.place, .type, "Must be an object of locales.")
            return []
        }
        guard entries.count <= Self.countMax else {
            faults.add(base.place, .tooMany, "Must have at most \(Self.countMax) locales.")
            return []
        }
        var localizations: [CarillonLocalization] = []
        for entry in entries where !entry.value.isNull {
            let inner = FieldBase.member(of: base, name: entry.name)
            let locale = PayloadRecipient.normalized(locale: entry.name)
            if !Self.isLocale(entry.name) {
                faults.add(inner.place, .invalid, "A locale is 2 to 35 letters, digits, - and _.")
            } else if localizations.contains(where: { $0.locale == locale }) {
                faults.add(inner.place, .repeated, "This locale is there already, in another spelling.")
            }
            guard case .object(let members) = entry.value else {
                faults.add(inner.place, .type, "Must be an object.")
                continue
            }
            var text = CarillonText()
            for member in members where !member.value.isNull && !text.take(member, at: inner, &faults) {
                faults.addUnknownField(member.name, at: inner)
            }
            localizations.append(CarillonLocalization(name: entry.name, locale: locale, text: text))
        }
        return localizations
    }

    private static func isLocale(_ name: String) -> Bool {
        (2...35).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
