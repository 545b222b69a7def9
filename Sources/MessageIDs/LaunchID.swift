/// One run of a campaign: account + campaign + launch time.
///
/// Its text carries no checksum, so a changed character is another launch or an error, never noticed as a change.
public struct LaunchID: Hashable, Sendable {
    /// 1 … 2^63−1.
    public var account: Int64
    /// 0 … 2^63−1.
    public var campaign: Int64
    /// UNIX nanoseconds.
    public var launchedAt: UInt64

    public init(account: Int64, campaign: Int64, launchedAt: UInt64) {
        self.account = account
        self.campaign = campaign
        self.launchedAt = launchedAt
    }

    /// Reads `2_4S_4HFn8RDhhmA`: three base58 numbers joined by `_`.
    public init(text: String) throws(MessageIDError) { try self.init(text.utf8Span.span) }

    init(_ text: Span<UInt8>) throws(MessageIDError) {
        guard text.count <= Self.textBytesMax else {
            throw MessageIDError(.trailingBytes, "Longer than any launch id.")
        }
        var separators = (first: -1, second: -1)
        for index in text.indices where text[index] == UInt8(ascii: "_") {
            if separators.first < 0 {
                separators.first = index
            } else if separators.second < 0 {
                separators.second = index
            } else {
                throw MessageIDError(.trailingBytes, "A launch id has three parts.")
            }
        }
        guard separators.second >= 0 else { throw MessageIDError(.truncated, "A launch id has three parts.") }
        let account = try Base58.number(text.extracting(0..<separators.first), "account")
        let campaign = try Base58.number(text.extracting(separators.first + 1..<separators.second), "campaign")
        let launchedAt = try Base58.number(text.extracting(separators.second + 1..<text.count), "launch time")
        guard let account = Int64(exactly: account), account >= 1 else {
            throw MessageIDError(.outOfRange, "The account is not 1 … 2^63−1.")
        }
        guard let campaign = Int64(exactly: campaign) else {
            throw MessageIDError(.outOfRange, "The campaign is not 0 … 2^63−1.")
        }
        self.init(account: account, campaign: campaign, launchedAt: launchedAt)
    }

    public var text: String {
        var text = ShortBytes()
        Base58.append(UInt64(self.account), to: &text)
        text.append(UInt8(ascii: "_"))
        Base58.append(UInt64(self.campaign), to: &text)
        text.append(UInt8(ascii: "_"))
        Base58.append(self.launchedAt, to: &text)
        return text.text
    }

    /// Three numbers of 11 digits and two separators.
    public static let textBytesMax = 35
}
