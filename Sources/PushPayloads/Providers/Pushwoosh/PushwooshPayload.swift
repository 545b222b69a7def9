/// What both platforms' payloads have.
enum PushwooshPayload {
    /// The SDKs take a `p` of up to 64 characters without `-` as it is; a longer one they try to unpack.
    static let hashBytesMax = 64

    /// Where a rich media page is loaded from: the code's first two characters are folders.
    static func richMediaURL(_ code: String) -> PayloadNode {
        let first = code.prefix(1)
        let second = code.dropFirst().prefix(1)
        return .string("https://richmedia.pushwoosh.com/\(first)/\(second)/\(code).zip")
    }
}
