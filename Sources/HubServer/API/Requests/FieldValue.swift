import HubLinks
import MessageIDs
import StrictJSON

/// How JSON values are read as what they mean. Integers come as numbers or strings and are exact at any size: no value
/// passes through a double.
enum FieldValue {
    /// 0 … 2^63−1.
    static func id(_ value: JSONValue) throws(FieldReason) -> Int64 {
        try Self.integer(value, in: 0...Int64.max)
    }

    static func integer(_ value: JSONValue, in range: ClosedRange<Int64>) throws(FieldReason) -> Int64 {
        let text: String
        switch value {
        case .number(let digits), .string(let digits): text = digits
        default: throw FieldReason(code: .type, detail: "Must be an integer or a string of digits.")
        }
        guard let integer = try Self.digits(text), range.contains(integer) else {
            throw FieldReason(
                code: .outOfRange, detail: "Must be an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return integer
    }

    /// A decimal integer without fraction, exponent or plus sign; nil beyond 64 bits.
    private static func digits(_ text: String) throws(FieldReason) -> Int64? {
        let bytes = text.utf8
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw FieldReason(code: .invalid, detail: "Must be an integer in decimal digits.")
        }
        return Int64(text)
    }

    /// 0 … 2^128−1: an integer, decimal digits, a UUID or 24 hex digits.
    static func profile(_ value: JSONValue) throws(FieldReason) -> ProfileID {
        let profile: ProfileID?
        switch value {
        // A number is decimal whatever its length; in a string, 24 digits are an ObjectId.
        case .number: profile = value.uint128.map(ProfileID.init)
        case .string(let text): profile = ProfileID(text: text)
        default: throw FieldReason(code: .type, detail: "Must be an integer or a string.")
        }
        guard let profile else {
            throw FieldReason(
                code: .invalid, detail: "Must be an integer from 0 to 2^128-1, a UUID or 24 hex digits.")
        }
        return profile
    }

    /// RFC 3339 to UNIX nanoseconds.
    static func time(_ value: JSONValue) throws(FieldReason) -> UInt64 {
        guard case .string(let text) = value else {
            throw FieldReason(code: .type, detail: "Must be an RFC 3339 time in a string.")
        }
        guard let time = UnixTime.nanoseconds(text: text) else {
            throw FieldReason(
                code: .invalid, detail: "Must be an RFC 3339 time with its offset and at most 9 fraction digits.")
        }
        return time
    }

    static func bool(_ value: JSONValue) throws(FieldReason) -> Bool {
        guard case .bool(let bool) = value else { throw FieldReason(code: .type, detail: "Must be true or false.") }
        return bool
    }

    /// A name in any spelling, or a code.
    static func provider(_ value: JSONValue) throws(FieldReason) -> Provider {
        guard let provider = Provider(name: try Self.nameOrNumber(value)) else {
            throw FieldReason(code: .unknownValue, detail: "Must be a provider's name or its code from 0 to 255.")
        }
        return provider
    }

    static func channel(_ value: JSONValue) throws(FieldReason) -> Channel {
        guard let channel = Channel(name: try Self.nameOrNumber(value)) else {
            throw FieldReason(
                code: .unknownValue, detail: "Must be email, push, sms, webpush, inapp or a number from 0 to 255.")
        }
        return channel
    }

    /// 0 keep, 1 mask, 2 drop, 3 anonymous; the names are read too.
    static func privacy(_ value: JSONValue) throws(FieldReason) -> Privacy {
        switch try Self.nameOrNumber(value) {
        case "0", "keep": return .keepAddress
        case "1", "mask": return .maskAddress
        case "2", "drop": return .dropAddress
        case "3", "anonymous": return .anonymous
        default:
            throw FieldReason(
                code: .unknownValue, detail: "Must be 0 (keep), 1 (mask), 2 (drop) or 3 (anonymous).")
        }
    }

    static func style(_ value: JSONValue) throws(FieldReason) -> LinkStyle {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard let style = LinkStyle(rawValue: text) else {
            throw FieldReason(code: .unknownValue, detail: "Must be path or crypto_post_events.")
        }
        return style
    }

    private static func nameOrNumber(_ value: JSONValue) throws(FieldReason) -> String {
        switch value {
        case .number(let text), .string(let text): return text
        default: throw FieldReason(code: .type, detail: "Must be a string or an integer.")
        }
    }
}

extension FieldFaults {
    /// The member's value as `read` understands it; a refusal becomes a fault at the member.
    mutating func value<Value>(
        of member: JSONMember, at base: FieldBase, _ read: (JSONValue) throws(FieldReason) -> Value
    ) -> Value? {
        do {
            return try read(member.value)
        } catch {
            self.add(base.place(member.name), error)
            return nil
        }
    }

    /// A fault when the member is absent or null.
    mutating func require(_ name: String, in members: [JSONMember], at base: FieldBase) {
        if !members.contains(where: { $0.name == name && $0.value != .null }) {
            self.add(base.place(name), .required, "Required.")
        }
    }
}
