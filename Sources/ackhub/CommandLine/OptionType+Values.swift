import CommandLineOptions
import EventStore
import HubLinks
import HubServer
import MessageIDs
import PushPayloads

extension OptionType where Value == Int64 {
    /// An account id: 1 to 2^63−1.
    static let account = id(from: 1)
}

extension OptionType where Value == UInt8 {
    static let keyID = OptionType(placeholder: "ID") { text throws(OptionProblem) in
        guard let id = UInt8(text) else { throw OptionProblem(detail: "'\(text)' is not a key id from 0 to 255") }
        return id
    }
}

extension OptionType where Value == UInt64 {
    static let seed = OptionType(placeholder: "N") { text throws(OptionProblem) in
        guard let seed = UInt64(text) else {
            throw OptionProblem(detail: "'\(text)' is not a whole number from 0 to 2^64-1")
        }
        return seed
    }

    /// UNIX nanoseconds, from RFC 3339.
    static let time = OptionType(placeholder: "TIME") { text throws(OptionProblem) in
        guard let time = UnixTime.nanoseconds(text: text) else {
            throw OptionProblem(detail: "'\(text)' is not a time like 2026-01-31T08:00:00Z (RFC 3339)")
        }
        return time
    }
}

extension OptionType where Value == Provider {
    static let provider = OptionType(placeholder: "NAME") { text throws(OptionProblem) in
        guard let provider = Provider(name: text) else {
            throw OptionProblem(detail: "'\(text)' is not a provider; known are \(Self.known)")
        }
        return provider
    }

    private static var known: String { Provider.known.map(\.name).joined(separator: ", ") }
}

extension OptionType where Value == [Provider] {
    /// Names with a comma between them.
    static let providers = OptionType(placeholder: "NAME,…") { text throws(OptionProblem) in
        var providers: [Provider] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            providers.append(try OptionType<Provider>.provider.read(String(name)))
        }
        return providers
    }
}

extension OptionType where Value == Channel {
    static let channel = OptionType(placeholder: "NAME") { text throws(OptionProblem) in
        guard let channel = Channel(name: text) else {
            throw OptionProblem(detail: "'\(text)' is not email, push, sms, webpush, inapp or a number from 0 to 255")
        }
        return channel
    }
}

extension OptionType where Value == ProfileID {
    static let profile = OptionType(placeholder: "ID") { text throws(OptionProblem) in
        guard let profile = ProfileID(text: text) else {
            throw OptionProblem(detail: "'\(text)' is not a decimal number, a UUID or 24 hex digits")
        }
        return profile
    }
}

extension OptionType where Value == LaunchID {
    static let launch = OptionType(placeholder: "LAUNCH_ID") { text throws(OptionProblem) in
        do {
            return try LaunchID(text: text)
        } catch {
            throw OptionProblem(detail: "'\(text)' is not a launch id: \(error)")
        }
    }
}

extension OptionType where Value == PayloadRecipient {
    static let pushToken = OptionType(placeholder: "TOKEN") { text throws(OptionProblem) in
        guard let recipient = PayloadRecipient(token: text) else {
            throw OptionProblem(detail: "is not \(PayloadRecipient.form)")
        }
        return recipient
    }
}

extension OptionType where Value == String {
    static let locale = OptionType(placeholder: "LOCALE") { text throws(OptionProblem) in
        guard text.utf8.count <= PayloadRecipient.localeBytesMax else {
            throw OptionProblem(detail: "is longer than \(PayloadRecipient.localeBytesMax) bytes")
        }
        return text
    }
}

extension OptionType where Value == PayloadTemplateName {
    static let template = OptionType(placeholder: "NAME") { text throws(OptionProblem) in
        guard let template = PayloadTemplateName(rawValue: text) else {
            throw OptionProblem(detail: "'\(text)' is neither wire nor documented")
        }
        return template
    }
}

extension OptionType where Value == LinkStyle {
    static let style = OptionType(placeholder: "STYLE") { text throws(OptionProblem) in
        guard let style = LinkStyle(rawValue: text) else {
            throw OptionProblem(detail: "'\(text)' is neither path nor crypto_post_events")
        }
        return style
    }
}

extension OptionType where Value == Privacy {
    static let privacy = OptionType(placeholder: "0-3") { text throws(OptionProblem) in
        guard let number = UInt8(text), let privacy = Privacy(rawValue: number) else {
            throw OptionProblem(detail: "'\(text)' is not 0 (keep address), 1 (mask it), 2 (drop it) or 3 (anonymous)")
        }
        return privacy
    }
}

extension OptionType where Value == Set<TokenScope> {
    /// Names with a comma between them.
    static let scopes = OptionType(placeholder: "SCOPE,…") { text throws(OptionProblem) in
        var scopes: Set<TokenScope> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = TokenScope(rawValue: String(name)) else {
                let known = TokenScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw OptionProblem(detail: "'\(name)' is not a scope; known are \(known)")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}
