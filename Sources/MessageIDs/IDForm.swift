/// The checksummed texts of an id: a prefix letter, then base58 or Crockford base32 of payload + CRC-32.
///
/// The checksum decides first: when it fails, the text was damaged, and whatever else looks wrong follows from that.
/// Only what is certain without it is said before: a wrong alphabet, a text shorter than the shortest id or longer than
/// the longest, surplus leading `1`s.
enum IDForm: UInt8 {
    case full = 0x54  // T
    case unique = 0x55  // U
    case emailSafe = 0x45  // E

    private static let checksumBytes = 4

    private var payloadBytesMin: Int {
        switch self {
        case .full, .emailSafe: SendMessageID.bodyBytesMin
        case .unique: 17
        }
    }

    /// What the shortest payload and its checksum take. Base58 numbers of that many bytes begin at 256^13 and 256^20.
    private var digitsMin: Int {
        switch self {
        case .full: 18
        case .unique: 28
        case .emailSafe: 23
        }
    }

    private var payloadBytesMax: Int {
        switch self {
        case .full, .emailSafe: SendMessageID.bodyBytesMax
        case .unique: 25
        }
    }

    /// The whole text for a payload.
    func text(_ payload: consuming ShortBytes) -> String {
        payload.append(bigEndian: payload.withSpan { CRC32.checksum(prefix: self.rawValue, $0) })
        switch self {
        case .full, .unique:
            var text = ShortBytes()
            text.append(self.rawValue)
            payload.withSpan { Base58.append($0, to: &text) }
            return text.text
        case .emailSafe:
            var text: [UInt8] = []
            text.reserveCapacity(1 + (payload.count * 8 + 4) / 5)
            text.append(self.rawValue | 0x20)
            payload.withSpan { Crockford32.append($0, to: &text) }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The payload of the text after the prefix letter, its checksum verified.
    ///
    /// `payloadEnd` says where a payload that begins the bytes ends, if one does: so that characters appended to a
    /// whole id are told from damage inside it.
    func payload(
        _ text: Span<UInt8>, payloadEnd: (Span<UInt8>) -> Int?
    ) throws(MessageIDError) -> ShortBytes {
        let bytesMax = self.payloadBytesMax + Self.checksumBytes
        guard text.count <= (self == .emailSafe ? Crockford32.digitsMax : Base58.digitsMax) else {
            throw MessageIDError(.trailingBytes, "Longer than any id of this form.")
        }
        var bytes = ShortBytes()
        var ending = Crockford32.Ending.canonical
        switch self {
        case .emailSafe:
            ending = Crockford32.appendBytes(of: text, to: &bytes)
        case .full, .unique:
            if !Base58.appendBytes(of: text, to: &bytes) { ending = .notOfAlphabet }
        }
        if case .notOfAlphabet = ending {
            throw MessageIDError(.alphabet, "The id has a character that its form does not use.")
        }
        // Every payload begins with an account of at least 1, so never with a zero byte.
        if self != .emailSafe, !text.isEmpty, text[0] == Base58.alphabet[0] {
            throw MessageIDError(.nonMinimal, "The id has leading 1s, which stand for zeros.")
        }
        guard text.count >= self.digitsMin else {
            throw MessageIDError(.truncated, "Shorter than any id of this form.")
        }
        let payload = bytes.withSpan { self.checked($0, bytes.count) }
        guard let payload else {
            let hasTrailing = bytes.withSpan { all in
                guard let end = payloadEnd(all) else { return false }
                return self.checked(all, end + Self.checksumBytes) != nil
            }
            if hasTrailing { throw MessageIDError(.trailingBytes, "Characters follow where the id ends.") }
            throw MessageIDError(.checksum, "The id's checksum is wrong: it was changed, cut or extended.")
        }
        switch ending {
        case .surplusCharacter: throw MessageIDError(.trailingBytes, "A character follows where the id ends.")
        case .paddingNotZero: throw MessageIDError(.nonMinimal, "The bits that pad the last character are not 0.")
        case .canonical, .notOfAlphabet: break
        }
        guard bytes.count <= bytesMax else { throw MessageIDError(.trailingBytes, "Longer than any id of this form.") }
        return payload
    }

    /// The payload in the first `count` bytes, when its checksum is right.
    private func checked(_ bytes: Span<UInt8>, _ count: Int) -> ShortBytes? {
        guard count <= bytes.count, count >= self.payloadBytesMin + Self.checksumBytes else { return nil }
        let payload = bytes.extracting(0..<count - Self.checksumBytes)
        var checksum: UInt32 = 0
        for index in count - Self.checksumBytes..<count { checksum = checksum << 8 | UInt32(bytes[index]) }
        guard CRC32.checksum(prefix: self.rawValue, payload) == checksum else { return nil }
        var result = ShortBytes()
        result.append(payload)
        return result
    }
}
