import StrictJSON

// `apns_trim_content` and `ios_trim_content`.
extension PushwooshIOS {
    private static let ellipsis = "…"

    /// The text, cut at a character's border and ended by `…` so that a payload of that size would be within APNs' bound
    /// with it; nil where nothing is to be cut. Cut for the largest ids and links, so that every recipient of a launch
    /// gets the same text.
    ///
    /// Where not even one character would fit, the rest of the message is what is too large: the text is left whole and
    /// the payload refused.
    func trimmedContent(of size: PayloadSize) -> String? {
        let excess = self.largestBytes(of: size) - PayloadShape.messageBytesMax
        guard self.notification.trimsContent, excess > 0, let content = self.notification.content else { return nil }
        var bytesLeft = Self.bytesInJSON(content) - excess - Self.bytesInJSON(Self.ellipsis)
        let kept = content.prefix { character in
            bytesLeft -= Self.bytesInJSON(String(character))
            return bytesLeft >= 0
        }
        return kept.isEmpty ? nil : kept + Self.ellipsis
    }

    /// Without the quotes.
    private static func bytesInJSON(_ text: String) -> Int { JSONLength.bytes(of: text) - 2 }

    /// The payload's bytes for the recipient with the largest ids and links.
    private func largestBytes(of size: PayloadSize) -> Int {
        size.holes.reduce(size.fixedBytes) { $0 + self.bytesMax(of: $1) }
    }

    private func bytesMax(of hole: PayloadHole) -> Int {
        switch hole {
        case .uid: PushwooshPayload.hashBytesMax
        // The bound is on both links together, and they only stand together.
        case .openLink: self.options.linkBytesMax
        case .ackLink: 0
        // 2^64 nanoseconds.
        case .launchedAtSeconds: 11
        case .token, .topic, .topicPath, .launchID, .messageKey, .expiration:
            preconditionFailure("Pushwoosh's payload has no such place")
        }
    }
}
