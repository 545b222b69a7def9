// The body's bytes (design section 3).
extension SendMessageID {
    /// The longest body: four ids of 9 bytes, a channel of 2, two times of 10, a profile of 17, provider and flags.
    public static let bodyBytesMax = 77
    /// The shortest body: every field in one byte.
    public static let bodyBytesMin = 10

    private static let testFlag: UInt8 = 1
    private static let privacyShift: UInt8 = 1
    private static let knownFlags: UInt8 = 0b111

    /// Appends the body's bytes; does not allocate when `bytes` has room for ``bodyBytesMax`` more.
    public func appendBody(to bytes: inout [UInt8]) {
        var body = ShortBytes()
        self.appendBody(to: &body)
        body.append(to: &bytes)
    }

    package func appendBody(to body: inout ShortBytes) {
        body.append(atMost: Self.bodyBytesMax) { self.appendBody(to: &$0) }
    }

    package func appendBody(to body: inout ByteWriter) {
        precondition(self.hasValidIDs, "account is 1 … 2^63−1, other ids 0 … 2^63−1")
        Varint.append(UInt64(bitPattern: self.account), to: &body)
        Varint.append(UInt64(bitPattern: self.campaign), to: &body)
        Varint.append(UInt64(bitPattern: self.resource), to: &body)
        Varint.append(UInt64(self.channel.rawValue), to: &body)
        Varint.append(UInt64(bitPattern: self.subscription), to: &body)
        Varint.append(self.sentAt, to: &body)
        let profileBytes = self.profileBytes
        body.append(UInt8(truncatingIfNeeded: profileBytes))
        body.append(bigEndian: self.profile.value, count: profileBytes)
        body.append(self.provider.rawValue)
        body.append((self.isTest ? Self.testFlag : 0) | self.privacy.rawValue << Self.privacyShift)
        Varint.append(self.launchDelay, to: &body)
    }

    /// How many bytes the body takes.
    public var bodyBytes: Int {
        Varint.byteCount(UInt64(bitPattern: self.account)) + Varint.byteCount(UInt64(bitPattern: self.campaign))
            + Varint.byteCount(UInt64(bitPattern: self.resource)) + Varint.byteCount(UInt64(self.channel.rawValue))
            + Varint.byteCount(UInt64(bitPattern: self.subscription)) + Varint.byteCount(self.sentAt)
            + 1 + self.profileBytes + 2 + Varint.byteCount(self.launchDelay)
    }

    /// Reads a whole body; refuses a non-minimal varint, an unknown flag bit, trailing bytes.
    public init(body: RawSpan) throws(MessageIDError) {
        self = try body.withUnsafeBytes { bytes throws(MessageIDError) in
            try SendMessageID(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
    }

    package init(_ body: Span<UInt8>) throws(MessageIDError) {
        let (message, count) = try Self.readBody(body)
        guard count == body.count else { throw MessageIDError(.trailingBytes, "Bytes follow where the body ends.") }
        self = message
    }

    /// Reads a body from the front of `bytes`; also how many bytes it took.
    static func readBody(_ bytes: Span<UInt8>) throws(MessageIDError) -> (message: SendMessageID, count: Int) {
        var reader = BodyReader()
        let account = try reader.id(bytes, "account")
        guard account >= 1 else { throw MessageIDError(.outOfRange, "The account is 0.") }
        let campaign = try reader.id(bytes, "campaign")
        let resource = try reader.id(bytes, "resource")
        guard let channel = UInt8(exactly: try reader.id(bytes, "channel")) else {
            throw MessageIDError(.outOfRange, "The channel is above 255.")
        }
        let subscription = try reader.id(bytes, "subscription")
        let sentAt = try reader.time(bytes, "send time")
        let profileBytes = Int(try reader.byte(bytes, "profile"))
        let profile = try reader.number(bytes, "profile", count: profileBytes)
        let provider = try reader.byte(bytes, "provider")
        let flags = try reader.byte(bytes, "flags")
        guard flags & ~Self.knownFlags == 0, let privacy = Privacy(rawValue: flags >> Self.privacyShift) else {
            throw MessageIDError(.outOfRange, "A flag is set that this version does not know.")
        }
        let launchedAt = try Self.launchTime(sentAt, delay: try reader.varint(bytes, "launch time"))
        let message = SendMessageID(
            account: account, campaign: campaign, resource: resource, channel: Channel(rawValue: channel),
            subscription: subscription, profile: ProfileID(profile), sentAt: sentAt, launchedAt: launchedAt,
            provider: Provider(rawValue: provider), isTest: flags & Self.testFlag != 0, privacy: privacy)
        return (message, reader.offset)
    }

    private var hasValidIDs: Bool {
        self.account >= 1 && self.campaign >= 0 && self.resource >= 0 && self.subscription >= 0
    }

    private var profileBytes: Int { (135 - self.profile.value.leadingZeroBitCount) / 8 }

    /// zigzag(sent − launched). The difference of two unsigned 64-bit times takes 65 bits with its sign, so this does too.
    private var launchDelay: UInt128 {
        self.sentAt >= self.launchedAt
            ? UInt128(self.sentAt - self.launchedAt) << 1
            : UInt128(self.launchedAt - self.sentAt) << 1 - 1
    }

    private static func launchTime(_ sentAt: UInt64, delay: UInt128) throws(MessageIDError) -> UInt64 {
        let magnitude = (delay + 1) >> 1
        let launchedAt = delay & 1 == 0 ? Int128(sentAt) - Int128(magnitude) : Int128(sentAt) + Int128(magnitude)
        guard let launchedAt = UInt64(exactly: launchedAt) else {
            throw MessageIDError(.outOfRange, "The launch time is not 0 … 2^64−1 ns.")
        }
        return launchedAt
    }
}
