import StrictJSON

// `apns_trim_content` and `ios_trim_content`.
extension PushwooshIOS {
    private static let ellipsis = "…"

    /// The text, cut at a character's border and ended by `…` where the payload would be too large for APNs. Cut for
    /// the largest ids and links, so that every recipient of a launch gets the same text.
    ///
    /// Where not even one character would fit, the rest of the message is what is too large: the text is left whole and
    /// the payload refused.
    var trimmedContent: String? {
        guard self.notification.trimsContent, let content = self.notification.content else {
            return self.notification.content
        }
        guard self.largestBytes(body: content) > PayloadShape.messageBytesMax else { return content }
        var bytesLeft = PayloadShape.messageBytesMax - self.largestBytes(body: Self.ellipsis)
        let kept = content.prefix { character in
            bytesLeft -= Self.bytesInJSON(String(character))
            return bytesLeft >= 0
        }
        return kept.isEmpty ? content : kept + Self.ellipsis
    }

    /// The payload's bytes with that text, for the recipient with the largest ids and links.
    private func largestBytes(body: String) -> Int {
        let size = PayloadSize.json(self.payload(body: body))
        return size.holes.reduce(size.fixedBytes) { $0 + self.bytesMax(of: $1) }
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

    /// Without the quotes.
    private static func bytesInJSON(_ text: String) -> Int { PayloadSize.json(.string(text)).fixedBytes - 2 }
}
