import HubLinks
import MessageIDs
import PushPayloads
import StrictJSON

/// The readings of this API's own fields.
extension FieldValue {
    /// 0 … 2^63−1.
    static func id(_ value: JSONValue) throws(FieldReason) -> Int64 {
        try Self.integer(value, in: 0...Int64.max)
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

    /// A device's push token, or `/topics/` and a topic's name.
    static func pushToken(_ value: JSONValue) throws(FieldReason) -> PayloadRecipient {
        guard case .string(let text) = value else { throw FieldReason(code: .type, detail: "Must be a string.") }
        guard let recipient = PayloadRecipient(token: text) else {
            throw FieldReason(code: .invalid, detail: "Must be \(PayloadRecipient.form).")
        }
        return recipient
    }

    private static func nameOrNumber(_ value: JSONValue) throws(FieldReason) -> String {
        switch value {
        case .number(let text), .string(let text): return text
        default: throw FieldReason(code: .type, detail: "Must be a string or an integer.")
        }
    }
}
