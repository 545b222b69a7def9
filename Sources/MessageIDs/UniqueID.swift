/// The Unique form: names a message, does not reveal it.
public struct UniqueID: Hashable, Sendable {
    /// 1 … 2^63−1.
    public var account: Int64
    public var key: MessageKey

    public init(account: Int64, key: MessageKey) {
        self.account = account
        self.key = key
    }

    /// Reads the `U` form.
    public init(text: String) throws(MessageIDError) { try self.init(text.utf8Span.span) }

    init(_ text: Span<UInt8>) throws(MessageIDError) {
        guard !text.isEmpty else { throw MessageIDError(.truncated, "The id is empty.") }
        guard text[0] == UInt8(ascii: "U") else {
            throw MessageIDError(.unknownForm, "A unique id begins with U.")
        }
        let payload = try IDForm.unique.payload(text.extracting(1..<text.count)) { bytes in
            try? Self.read(bytes).count
        }
        self = try payload.withSpan { bytes throws(MessageIDError) in
            let (unique, count) = try Self.read(bytes)
            guard count == bytes.count else { throw MessageIDError(.trailingBytes, "Bytes follow where the id ends.") }
            return unique
        }
    }

    private static func read(_ bytes: Span<UInt8>) throws(MessageIDError) -> (unique: UniqueID, count: Int) {
        var reader = BodyReader()
        let account = try reader.id(bytes, "account")
        guard account >= 1 else { throw MessageIDError(.outOfRange, "The account is 0.") }
        var value: UInt128 = 0
        for _ in 0..<16 { value = value << 8 | UInt128(try reader.byte(bytes, "message key")) }
        let key = MessageKey(value)
        guard key.isVersion8 else { throw MessageIDError(.outOfRange, "The message key is not a UUID version 8.") }
        return (UniqueID(account: account, key: key), reader.offset)
    }

    public var text: String {
        precondition(self.account >= 1, "account is 1 … 2^63−1")
        var payload = ShortBytes()
        payload.append(atMost: Varint.bytesMax) { Varint.append(UInt64(self.account), to: &$0) }
        payload.append(bigEndian: self.key.value, count: 16)
        return IDForm.unique.text(payload)
    }
}
