import StrictJSON

/// Custom fields of a message: what the app itself gets beside everything that is the provider's or the hub's.
enum CustomData {
    /// More than any provider's bytes can hold, names of two bytes and empty values included.
    static let fieldsMax = 2048

    /// How the least is counted that an object adds to a payload.
    enum Measure {
        /// Its JSON text.
        case json
        /// Names and values of a map of strings, as FCM counts them: no quotes and no escapes.
        case strings
    }

    /// Names that FCM refuses or overwrites in a data map: `from`, `message_type`, `collapse_key`, all that begin with
    /// `google` or `gcm`.
    static func isReservedByFCM(_ name: String) -> Bool {
        // By bytes, as FCM reads them: `hasPrefix` does not see a prefix whose last letter bears a combining mark.
        ["from", "message_type", "collapse_key"].contains(name) || name.utf8.starts(with: "google".utf8)
            || name.utf8.starts(with: "gcm".utf8)
    }

    /// Refuses what no payload has room for, before anything is done with it: this bounds the members of nested objects
    /// too. Looks at no more bytes than a payload may have.
    static func requireRoom(for value: JSONValue, _ measure: Measure) throws(FieldReason) {
        guard Self.bytes(of: value, measure, atMost: PayloadShape.messageBytesMax) == nil else { return }
        throw FieldReason(
            code: .payloadTooLarge,
            detail: "Has more bytes than a whole payload may have: \(PayloadShape.messageBytesMax).")
    }

    private static func bytes(of value: JSONValue, _ measure: Measure, atMost bytesMax: Int) -> Int? {
        guard measure == .strings, case .object(let members) = value else {
            return JSONLength.bytes(of: value, atMost: bytesMax)
        }
        var bytes = 0
        for member in members {
            bytes += member.name.utf8.count
            if case .string(let text) = member.value {
                bytes += text.utf8.count
            } else if let more = JSONLength.bytes(of: member.value, atMost: max(bytesMax - bytes, 0)) {
                bytes += more
            } else {
                return nil
            }
            if bytes > bytesMax { return nil }
        }
        return bytes
    }

    /// The members of a custom object; a fault when there are too many or no payload has room for them, for each name that
    /// is empty, too long or reserved, and for each null, which no map of strings can hold.
    static func read(
        _ value: JSONValue, at base: FieldBase, _ measure: Measure, scalarsOnly: Bool = false,
        isReserved: (String) -> Bool, _ faults: inout FieldFaults
    ) -> [PayloadMember] {
        guard case .object(let members) = value else {
            faults.add(base.place, .type, "Must be an object.")
            return []
        }
        guard members.count <= Self.fieldsMax else {
            faults.add(base.place, .tooMany, "Must have at most \(Self.fieldsMax) fields.")
            return []
        }
        do { try Self.requireRoom(for: value, measure) } catch {
            faults.add(base.place, error)
            return []
        }
        for member in members {
            if member.name.isEmpty || member.name.utf8.count > PushLimits.nameBytesMax {
                faults.add(
                    base.place(member.name), .invalid,
                    "A name must have 1 to \(PushLimits.nameBytesMax) bytes of UTF-8.")
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
