// The message's texts (design section 3).
extension SendMessageID {
    public enum Form: Sendable {
        /// `T…`, base58: `_uid`, `ak_uid`.
        case full
        /// `e…`, lower-case base32 that survives case folding: Message-ID, Return-Path.
        case emailSafe
    }

    public func text(_ form: Form = .full) -> String {
        var body = ShortBytes()
        self.appendBody(to: &body)
        return switch form {
        case .full: IDForm.full.text(body)
        case .emailSafe: IDForm.emailSafe.text(body)
        }
    }

    /// Reads the Full (`T`) or the Email-safe (`e`, in any case) form.
    public init(text: String) throws(MessageIDError) { try self.init(idText: text.utf8Span.span) }

    init(idText text: Span<UInt8>) throws(MessageIDError) {
        guard !text.isEmpty else { throw MessageIDError(.truncated, "The id is empty.") }
        let form: IDForm
        switch text[0] {
        case UInt8(ascii: "T"): form = .full
        case UInt8(ascii: "e"), UInt8(ascii: "E"): form = .emailSafe
        case UInt8(ascii: "U"):
            throw MessageIDError(.unknownForm, "The Unique form names a message, but does not hold its fields.")
        default: throw MessageIDError(.unknownForm, "A message id begins with T or e.")
        }
        let payload = try form.payload(text.extracting(1..<text.count)) { bytes in
            try? Self.readBody(bytes).count
        }
        self = try payload.withSpan { span throws(MessageIDError) in try SendMessageID(span) }
    }

    /// The Unique form (`U`): names the message, does not reveal it.
    public var uniqueText: String { UniqueID(account: self.account, key: self.messageKey).text }
}
