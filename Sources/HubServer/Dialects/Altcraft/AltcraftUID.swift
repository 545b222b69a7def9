import MessageIDs

/// A message as Altcraft's calls name it: by an id of ours alone, or by the packed form `e|launch|id|provider`.
struct AltcraftUID: Sendable, Equatable {
    let message: SendMessageID

    /// Refuses with `unknownMessage` what names no message of ours, with `malformed` a packed id of several minds.
    init(text: String) throws(DialectRefusal) {
        guard text.utf8.count <= DecodedID.textBytesMax else { throw Self.unknown }
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else {
            self.message = try Self.message(text)
            return
        }
        guard parts.count == 4, parts[0] == "e" else { throw Self.unknown }
        self.message = try Self.message(parts[2])
        try self.requireLaunch(parts[1])
        try self.requireProvider(parts[3])
    }

    private static let unknown = DialectRefusal(.unknownMessage, "uid names no message of this hub.")

    private static func message(_ text: String) throws(DialectRefusal) -> SendMessageID {
        do {
            return try SendMessageID(text: text)
        } catch {
            throw Self.unknown
        }
    }

    // MARK: What else a request says of the message

    /// A launch is named by its text, as payloads carry it. Altcraft's documents call `launch_id` an integer; an integer
    /// alone names no launch here.
    func requireLaunch(_ text: String) throws(DialectRefusal) {
        guard let launch = try? LaunchID(text: text), launch == self.message.launch else {
            throw DialectRefusal(.malformed, "The launch is not that of uid.")
        }
    }

    /// In any spelling. A label that two providers share (`Android Firebase`) agrees with both.
    func requireProvider(_ text: String) throws(DialectRefusal) {
        let provider = self.message.provider
        guard let given = Provider(name: text), given == provider || given == provider.label.flatMap(Provider.init)
        else { throw DialectRefusal(.malformed, "The provider is not that of uid.") }
    }

    /// Only an integer can be held against the message: what Altcraft calls `subscription_id` is the device's push token,
    /// which the hub does not keep. An anonymous message knows no subscription.
    func requireSubscription(_ text: String) throws(DialectRefusal) {
        guard self.message.privacy != .anonymous, text.utf8.allSatisfy(Self.isDigit) else { return }
        guard Int64(text) == self.message.subscription else {
            throw DialectRefusal(.malformed, "subscription_id is not that of uid.")
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
