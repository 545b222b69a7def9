public import MessageIDs

/// Mints links. One a thread: it owns OpenSSL contexts and buffers.
///
/// Minting is pure: the same message and key give the same links. It does not apply `Privacy.anonymous`: mint
/// `message.asMinted`.
public final class LinkMinter {
    public struct Links: Hashable, Sendable {
        public var ack: String
        public var open: String
    }

    private let siv: AESSIV
    private let keyID: UInt8
    private let text: TokenText
    private let plaintext = ScratchBytes(count: LinkToken.plaintextBytesMax)
    private let token = ScratchBytes(count: LinkToken.bytesMax)
    /// A URL a kind: what comes before the token stays in place.
    private let ackURL: ScratchBytes
    private let openURL: ScratchBytes
    private let ackPrefixBytes: Int
    private let openPrefixBytes: Int

    /// `publicURL`: scheme, host, optional port and path, without a trailing slash: see ``problem(withPublicURL:)``.
    public init(keyRing: KeyRing, publicURL: String, style: LinkStyle) throws(KeyRingError) {
        if let problem = Self.problem(withPublicURL: publicURL) { throw KeyRingError(.publicURL, problem) }
        let key = keyRing.active
        self.keyID = key.entry.id
        self.siv = try key.secret.withBytes { bytes throws(KeyRingError) in
            try AESSIV(key: bytes, associatedData: [[key.entry.id]])
        }
        let (ack, open) =
            switch style {
            case .path: ("\(publicURL)/\(EventKind.ack.name)/", "\(publicURL)/\(EventKind.open.name)/")
            case .cryptoPostEvents: ("\(publicURL)\(LinkToken.cryptoPath)?/", "\(publicURL)\(LinkToken.cryptoPath)?/")
            }
        self.text = style == .path ? .base64URL : .hexadecimal
        self.ackURL = Self.url(ack, self.text)
        self.openURL = Self.url(open, self.text)
        self.ackPrefixBytes = ack.utf8.count
        self.openPrefixBytes = open.utf8.count
    }

    private static func url(_ prefix: String, _ text: TokenText) -> ScratchBytes {
        let url = ScratchBytes(count: prefix.utf8.count + text.textBytesMax)
        for (index, byte) in prefix.utf8.enumerated() { url.bytes[index] = byte }
        return url
    }

    public func mint(_ message: SendMessageID) -> Links {
        let count = self.writeBody(message)
        let ack = self.url(.ack, bodyBytes: count)
        let open = self.url(.open, bodyBytes: count)
        return Links(ack: String(decoding: ack, as: UTF8.self), open: String(decoding: open, as: UTF8.self))
    }

    /// Appends one URL as UTF-8; allocates nothing when `bytes` has room.
    public func append(_ kind: EventKind, _ message: SendMessageID, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: self.url(kind, bodyBytes: self.writeBody(message)))
    }

    /// Bytes of both URLs together for this message (`link_bytes`).
    public func linkBytes(_ message: SendMessageID) -> Int {
        let token = self.text.textBytes(LinkToken.overheadBytes + LinkToken.headBytes + message.bodyBytes)
        return self.ackPrefixBytes + self.openPrefixBytes + 2 * token
    }

    /// The longest that ``linkBytes(_:)`` can be with this public URL and style.
    public var linkBytesMax: Int { self.ackPrefixBytes + self.openPrefixBytes + 2 * self.text.textBytesMax }

    /// Version, a place for the kind, body; returns the body's bytes.
    private func writeBody(_ message: SendMessageID) -> Int {
        var body = ShortBytes()
        message.appendBody(to: &body)
        let plaintext = self.plaintext.bytes
        plaintext[0] = LinkToken.formatVersion
        body.withSpan { span in
            span.withUnsafeBufferPointer { body in
                _ = UnsafeMutableBufferPointer(rebasing: plaintext[LinkToken.headBytes...]).update(fromContentsOf: body)
            }
        }
        return body.count
    }

    /// The URL of a kind for the body in place, in the kind's buffer until the next call.
    private func url(_ kind: EventKind, bodyBytes: Int) -> UnsafeBufferPointer<UInt8> {
        let plaintextBytes = LinkToken.headBytes + bodyBytes
        let tokenBytes = LinkToken.overheadBytes + plaintextBytes
        self.plaintext.bytes[1] = kind.rawValue
        self.token.bytes[0] = self.keyID
        self.siv.seal(
            UnsafeRawBufferPointer(self.plaintext.raw(0..<plaintextBytes)), into: self.token.raw(1..<tokenBytes))
        let (url, prefixBytes) =
            kind == .ack ? (self.ackURL, self.ackPrefixBytes) : (self.openURL, self.openPrefixBytes)
        let end = prefixBytes + self.text.textBytes(tokenBytes)
        self.text.encode(
            UnsafeRawBufferPointer(self.token.raw(0..<tokenBytes)),
            into: UnsafeMutableBufferPointer(rebasing: url.bytes[prefixBytes..<end]))
        return UnsafeBufferPointer(rebasing: url.bytes[0..<end])
    }
}
