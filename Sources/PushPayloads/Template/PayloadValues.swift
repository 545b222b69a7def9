package import MessageIDs

/// What fills the holes of one message's payload.
package struct PayloadValues: Sendable {
    /// As minted.
    package var message: SendMessageID
    /// UTF-8 of the message's Full id, its LaunchID and its links.
    package var uid: [UInt8]
    package var launchID: [UInt8]
    package var ackLink: [UInt8]
    package var openLink: [UInt8]
    package var recipient: PayloadRecipient

    package init(
        message: SendMessageID, uid: [UInt8], launchID: [UInt8], ackLink: [UInt8], openLink: [UInt8],
        recipient: PayloadRecipient
    ) {
        self.message = message
        self.uid = uid
        self.launchID = launchID
        self.ackLink = ackLink
        self.openLink = openLink
        self.recipient = recipient
    }

    func append(_ hole: PayloadHole, to bytes: inout [UInt8]) {
        switch hole {
        case .token, .topic: bytes.append(contentsOf: self.recipient.address)
        case .topicPath:
            bytes.append(contentsOf: PayloadRecipient.topicPrefix.utf8)
            bytes.append(contentsOf: self.recipient.address)
        case .uid: bytes.append(contentsOf: self.uid)
        case .launchID: bytes.append(contentsOf: self.launchID)
        case .ackLink: bytes.append(contentsOf: self.ackLink)
        case .openLink: bytes.append(contentsOf: self.openLink)
        case .messageKey: bytes.append(contentsOf: self.message.messageKey.text.utf8)
        case .expiration(let ttl): bytes.append(contentsOf: String(self.expiration(ttl: ttl)).utf8)
        case .launchedAtSeconds:
            bytes.append(contentsOf: String(self.message.launchedAt / Self.nanosecondsPerSecond).utf8)
        }
    }

    func bytes(of hole: PayloadHole) -> Int {
        switch hole {
        case .token, .topic: return self.recipient.address.count
        case .topicPath: return PayloadRecipient.topicPrefix.utf8.count + self.recipient.address.count
        case .uid: return self.uid.count
        case .launchID: return self.launchID.count
        case .ackLink: return self.ackLink.count
        case .openLink: return self.openLink.count
        case .messageKey: return 36
        case .expiration, .launchedAtSeconds:
            var digits: [UInt8] = []
            self.append(hole, to: &digits)
            return digits.count
        }
    }

    private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

    /// A ttl of 0 is "now or never", which APNs writes as 0.
    private func expiration(ttl: Int64) -> UInt64 {
        ttl == 0 ? 0 : self.message.sentAt / Self.nanosecondsPerSecond + UInt64(ttl)
    }
}

/// To whom a payload goes.
package struct PayloadRecipient: Sendable, Equatable {
    /// The token's bytes, or the topic's name.
    let address: [UInt8]
    let isTopic: Bool
    /// Normalised: lower case, `-` between its parts; nil when it is not known.
    private(set) var locale: String?

    package static let tokenBytesMax = 4096
    package static let localeBytesMax = 64
    package static let topicPrefix = "/topics/"
    /// What a token must be, for people.
    package static let form =
        "1 to \(Self.tokenBytesMax) printable ASCII characters without space, quote and backslash, "
        + "or \(Self.topicPrefix) and a topic's name"

    /// nil unless the token is 1 to 4096 printable ASCII characters without space, quote and backslash (no service's
    /// tokens have any), or `/topics/` and a topic's name (`[A-Za-z0-9-_.~%]+`, FCM).
    package init?(token: String, locale: String? = nil) {
        let bytes = Array(token.utf8)
        guard (1...Self.tokenBytesMax).contains(bytes.count), bytes.allSatisfy(Self.isOfToken) else { return nil }
        self.isTopic = token.hasPrefix(Self.topicPrefix)
        self.address = self.isTopic ? Array(bytes.dropFirst(Self.topicPrefix.utf8.count)) : bytes
        guard !self.isTopic || !self.address.isEmpty && self.address.allSatisfy(Self.isOfTopic) else { return nil }
        self.locale = locale.map(Self.normalized)
    }

    /// The same recipient with a locale; nil when it is not known.
    package func localized(_ locale: String?) -> PayloadRecipient {
        var recipient = self
        recipient.locale = locale.map(Self.normalized)
        return recipient
    }

    /// Case and `_` for `-` do not tell locales apart; nor do a codeset or keywords after the region, as in
    /// `pt_BR.UTF-8` and `ar_SA@calendar=gregorian`, which iOS and POSIX append.
    static func normalized(locale: String) -> String {
        locale.prefix { $0 != "." && $0 != "@" }.lowercased().replacing("_", with: "-")
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func isOfTopic(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
