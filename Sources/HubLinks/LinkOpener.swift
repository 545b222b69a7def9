import MessageIDs

/// Opens links as they arrive, in both styles. One a thread: it owns OpenSSL contexts and buffers; allocates nothing a
/// call.
///
/// What travel does to URLs is undone (design section 4): appended query parameters and fragments, a trailing
/// `. , ) > / %0A` or `&…`, percent-encoding of any character, doubled slashes; hexadecimal tokens also survive a
/// changed case. A target as it was minted costs none of that.
public final class LinkOpener {
    private enum Key {
        case unknown
        case retired
        case opens(AESSIV)
    }

    /// By key id.
    private let keys: [Key]
    private let token = ScratchBytes(count: LinkToken.bytesMax)
    private let plaintext = ScratchBytes(count: LinkToken.plaintextBytesMax)
    private let repaired = ScratchBytes(count: LinkRepair.bytesMax)

    /// Whether the target of the last read ended in `.gif`.
    public var wantsImage: Bool { self.endsInImage }
    /// Whether the target of the last read was not as minted: something was appended, encoded or doubled on its way. A
    /// `.gif` alone is no repair.
    public var wasRepaired: Bool { self.isRepaired }
    /// The key id of the last read that opened (`ackhub explain`).
    public var keyID: UInt8 { self.openedBy }

    // Stored on their own, because another module would check each access to them for overlap.
    @exclusivity(unchecked) private var endsInImage = false
    @exclusivity(unchecked) private var isRepaired = false
    @exclusivity(unchecked) private var openedBy: UInt8 = 0

    public init(keyRing: KeyRing) throws(KeyRingError) {
        var keys = [Key](repeating: .unknown, count: KeyRing.keysMax)
        for key in keyRing.keys {
            let id = key.entry.id
            if key.entry.state == .retired {
                keys[Int(id)] = .retired
            } else {
                let siv = try key.secret.withBytes { bytes throws(KeyRingError) in
                    try AESSIV(key: bytes, associatedData: [[id]])
                }
                keys[Int(id)] = .opens(siv)
            }
        }
        self.keys = keys
    }

    /// `target`: the request target as received (origin or absolute form), raw bytes, with all that travel did to it.
    /// `.gif` after the token is allowed; ``wantsImage`` tells it.
    public func read(target: RawSpan) -> LinkReading {
        target.withUnsafeBytes { raw in
            let target = raw.bindMemory(to: UInt8.self)
            self.endsInImage = false
            self.isRepaired = false
            if let location = LinkTarget.clean(target), let tokenBytes = self.decode(target, location) {
                return self.open(target, location, tokenBytes: tokenBytes)
            }
            let count = LinkRepair.repair(target, into: self.repaired.bytes)
            let repaired = UnsafeBufferPointer(rebasing: self.repaired.bytes[..<count])
            switch LinkTarget.find(repaired) {
            case .notALink: return .notALink
            case .damaged(let damage): return .damaged(damage)
            case .token(let location):
                self.endsInImage = location.wantsImage
                let mintedBytes = location.range.upperBound + (location.wantsImage ? LinkTarget.imageSuffixBytes : 0)
                self.isRepaired = target.count != mintedBytes
                return self.openRepaired(repaired, location)
            }
        }
    }

    /// Decodes a token that travel did nothing to; its bytes, or nil when it did.
    private func decode(_ target: UnsafeBufferPointer<UInt8>, _ location: LinkTarget.Location) -> Int? {
        let text = UnsafeBufferPointer(rebasing: target[location.range])
        return switch location.text.decode(text, into: self.token.bytes) {
        case .success(let count): count
        case .failure: nil
        }
    }

    private func openRepaired(_ target: UnsafeBufferPointer<UInt8>, _ location: LinkTarget.Location) -> LinkReading {
        let text = UnsafeBufferPointer(rebasing: target[location.range])
        switch location.text.decode(text, into: self.token.bytes) {
        case .success(let count): return self.open(target, location, tokenBytes: count)
        case .failure(let damage):
            // Folding also changes the last character's spare bits, which look like a cut.
            let isFolded = damage.kind == .truncated && Self.isCaseFolded(text, location)
            return .damaged(isFolded ? .letterCase : damage.kind)
        }
    }

    /// The token's bytes are in place.
    private func open(
        _ target: UnsafeBufferPointer<UInt8>, _ location: LinkTarget.Location, tokenBytes: Int
    ) -> LinkReading {
        let text = UnsafeBufferPointer(rebasing: target[location.range])
        let id = self.token.bytes[0]
        switch self.keys[Int(id)] {
        case .unknown: return .damaged(Self.isCaseFolded(text, location) ? .letterCase : .unknownKey)
        case .retired: return .damaged(Self.isCaseFolded(text, location) ? .letterCase : .retiredKey)
        case .opens(let siv):
            let plaintext = self.plaintext.raw(0..<tokenBytes - LinkToken.overheadBytes)
            guard siv.open(UnsafeRawBufferPointer(self.token.raw(1..<tokenBytes)), into: plaintext) else {
                return .damaged(Self.isCaseFolded(text, location) ? .letterCase : .authentication)
            }
            self.openedBy = id
            return Self.reading(UnsafeRawBufferPointer(plaintext), expected: location.kind)
        }
    }

    /// An authentic plaintext: only a minter with the key can have made it, so what is wrong now is no damage of travel.
    private static func reading(_ plaintext: UnsafeRawBufferPointer, expected: EventKind?) -> LinkReading {
        guard plaintext[0] == LinkToken.formatVersion else { return .damaged(.version) }
        guard let kind = EventKind(rawValue: plaintext[1]) else { return .damaged(.version) }
        guard expected == nil || expected == kind else { return .damaged(.wrongKind) }
        do {
            let body = UnsafeRawBufferPointer(rebasing: plaintext[LinkToken.headBytes...])
            return .message(kind, try SendMessageID(body: body.bytes))
        } catch {
            return .damaged(.body)
        }
    }

    private static func isCaseFolded(_ text: UnsafeBufferPointer<UInt8>, _ location: LinkTarget.Location) -> Bool {
        location.text == .base64URL && TokenText.isCaseFolded(text)
    }
}
