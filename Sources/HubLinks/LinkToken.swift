import MessageIDs

/// A token's layout (design section 4): key id (1) ‖ SIV (16) ‖ ciphertext of version (1) ‖ kind (1) ‖ message body.
enum LinkToken {
    static let formatVersion: UInt8 = 1
    /// Version and kind.
    static let headBytes = 2
    /// Key id and SIV.
    static let overheadBytes = 1 + AESSIV.tagBytes
    static let plaintextBytesMax = Self.headBytes + SendMessageID.bodyBytesMax
    static let bytesMin = Self.overheadBytes + Self.headBytes + SendMessageID.bodyBytesMin
    static let bytesMax = Self.overheadBytes + Self.plaintextBytesMax

    /// The path of the style whose token stands in the query.
    static let cryptoPath = "/api/v1.1/pushes/crypto_post_events"
}
