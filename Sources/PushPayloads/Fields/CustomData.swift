import StrictJSON

/// Custom fields of a message: what the app itself gets beside everything that is the provider's or the hub's.
enum CustomData {
    static let nameBytesMax = 256
    /// More than any provider's bytes can hold, names of two bytes and empty values included.
    static let fieldsMax = 2048

    /// Names that FCM refuses or overwrites in a data map: `from`, `message_type`, `collapse_key`, all that begin with
    /// `google` or `gcm`.
    static func isReservedByFCM(_ name: String) -> Bool {
        // By bytes, as FCM reads them: `hasPrefix` does not see a prefix whose last letter bears a combining mark.
        ["from", "message_type", "collapse_key"].contains(name) || name.utf8.starts(with: "google".utf8)
            || name.utf8.starts(with: "gcm".utf8)
    }

    /// The members of a custom object; a fault when there are too many, for each name that is empty, too long or reserved,
    /// and for each null, which no map of strings can hold.
    static func read(
        _ value: JSONValue, at base: FieldBase, scalarsOnly: Bool = false, isReserved: (String) -> Bool,
        _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return []
        }
        guard members.count <= Self.fieldsMax else {
            faults.add(base.place, .tooMany, "Must have at most \(Self.fieldsMax) fields.")
            return []
        }
        for member in members {
            if member.name.isEmpty || member.name.utf8.count > Self.nameBytesMax {
                faults.add(
                    base.place(member.name), .invalid, "A name must have 1 to \(Self.nameBytesMax) bytes of UTF-8.")
            }
            if isReserved(member.name) {
                faults.add(base.place(member.name), .reservedName, "This name is the provider's or the hub's own.")
            }
            switch member.value {
            case .null: faults.add(base.place(member.name), .type, "Must not be null: leave it out.")
            case .array where scalarsOnly, .object where scalarsOnly:
                faults.add(base.place(member.name), .type, "Must be a string, a number or true or false.")
            default: break
            }
        }
        return members.map { PayloadMember($0.name, PayloadNode($0.value)) }
    }
}
