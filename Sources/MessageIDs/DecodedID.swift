/// Any public id form, ours or a vendor's older one, explained field by field (`ackhub decode`).
///
/// What a vendor never published is shown as it stands and called opaque; nothing is guessed silently.
public struct DecodedID: Sendable {
    /// `full`, `unique`, `email-safe`, `launch`, `message-key`, `altcraft-u`, `altcraft-m`, `altcraft-f`, `altcraft-w`
    /// or `altcraft-packed`.
    public var family: String
    /// The message, where the text holds one of ours.
    public var message: SendMessageID?
    public var unique: UniqueID?
    public var launch: LaunchID?
    /// Name and value, in order, for people and JSON: ids decimal, times RFC 3339.
    public var fields: [(name: String, value: String)]

    /// Longer texts are refused unread: a packed id holds a launch, an id and a provider.
    public static let textBytesMax = 512

    public init(text: String) throws(MessageIDError) {
        guard text.utf8.count <= Self.textBytesMax else {
            throw MessageIDError(.trailingBytes, "Longer than any id.")
        }
        for form in Form.allCases {
            if let decoded = try form.read(text) {
                self = decoded
                return
            }
        }
        throw MessageIDError(.unknownForm, "Not an id of a form known here.")
    }

    init(family: String, fields: [(name: String, value: String)] = []) {
        self.family = family
        self.fields = fields
    }

    /// The forms in the order in which they are tried, which settles the look-alikes: `|` is in packed ids only; three
    /// valid numbers joined by `_` are a launch, whatever letter they begin with; only then does the first letter decide.
    private enum Form: CaseIterable {
        case packed, messageKey, launch, full, unique, emailSafe, vendor

        /// nil when the text is not of this form at all, an error when it is and is damaged.
        func read(_ text: String) throws(MessageIDError) -> DecodedID? {
            switch self {
            case .packed: try DecodedID.packed(text)
            case .messageKey: DecodedID.messageKey(text)
            case .launch: try DecodedID.launch(text)
            case .full: try DecodedID.full(text)
            case .unique: try DecodedID.unique(text)
            case .emailSafe: try DecodedID.emailSafe(text)
            case .vendor: try VendorID.decode(text)
            }
        }
    }

    // MARK: Our forms

    private static func messageKey(_ text: String) -> DecodedID? {
        guard let key = MessageKey(text: text) else { return nil }
        var decoded = DecodedID(family: "message-key")
        decoded.fields = [
            ("message_key", key.text), ("sent_at", UnixTime.text(nanoseconds: Self.nanoseconds(of: key))),
        ]
        return decoded
    }

    private static func launch(_ text: String) throws(MessageIDError) -> DecodedID? {
        let launch: LaunchID
        do {
            launch = try LaunchID(text: text)
        } catch {
            // Two separators and no vendor's letter: a launch was meant, so its error says what is wrong.
            let separators = text.utf8.count { $0 == UInt8(ascii: "_") }
            if separators == 2 && !VendorID.isPrefixed(text) && !text.utf8.contains(UInt8(ascii: "|")) { throw error }
            return nil
        }
        var decoded = DecodedID(family: "launch")
        decoded.launch = launch
        decoded.fields = Self.fields(of: launch)
        return decoded
    }

    private static func full(_ text: String) throws(MessageIDError) -> DecodedID? {
        guard text.utf8.first == UInt8(ascii: "T") else { return nil }
        return Self.message(try SendMessageID(text: text), family: "full")
    }

    private static func emailSafe(_ text: String) throws(MessageIDError) -> DecodedID? {
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "e") else { return nil }
        return Self.message(try SendMessageID(text: text), family: "email-safe")
    }

    private static func unique(_ text: String) throws(MessageIDError) -> DecodedID? {
        guard text.utf8.first == UInt8(ascii: "U") else { return nil }
        let unique = try UniqueID(text: text)
        var decoded = DecodedID(family: "unique")
        decoded.unique = unique
        decoded.fields = [
            ("account_id", String(unique.account)), ("message_key", unique.key.text),
            ("sent_at", UnixTime.text(nanoseconds: Self.nanoseconds(of: unique.key))),
        ]
        return decoded
    }

    private static func message(_ message: SendMessageID, family: String) -> DecodedID {
        let key = message.messageKey
        var decoded = DecodedID(family: family)
        decoded.message = message
        decoded.unique = UniqueID(account: message.account, key: key)
        decoded.launch = message.launch
        decoded.fields = [
            ("account_id", String(message.account)), ("campaign_id", String(message.campaign)),
            ("resource_id", String(message.resource)), ("channel", message.channel.name),
            ("subscription_id", String(message.subscription)), ("profile_id", message.profile.text),
            ("sent_at", UnixTime.text(nanoseconds: message.sentAt)),
            ("launched_at", UnixTime.text(nanoseconds: message.launchedAt)), ("provider", message.provider.name),
            ("test", String(message.isTest)), ("privacy", String(message.privacy.rawValue)),
            ("launch_id", message.launch.text), ("unique_id", UniqueID(account: message.account, key: key).text),
            ("message_key", key.text),
        ]
        return decoded
    }

    // MARK: The vendor's packed form

    /// `e|launch|smid|provider`, as short-form post_events sends it; the id inside may be of any family.
    private static func packed(_ text: String) throws(MessageIDError) -> DecodedID? {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        guard parts[0] == "e" else { throw MessageIDError(.unknownForm, "A packed id begins with e|.") }
        guard parts.count >= 4 else {
            throw MessageIDError(.truncated, "A packed id is e, launch, id and provider, joined by |.")
        }
        guard parts.count == 4 else { throw MessageIDError(.trailingBytes, "A packed id has four parts.") }
        let launch = try LaunchID(text: String(parts[1]))
        let inner = try DecodedID(text: String(parts[2]))
        guard let provider = Provider(name: String(parts[3])) else {
            throw MessageIDError(.outOfRange, "The packed id's provider is not known.")
        }
        var decoded = inner
        decoded.family = "altcraft-packed"
        decoded.launch = launch
        decoded.fields = [("launch_id", launch.text)]
        decoded.fields += Self.fields(of: launch).map { ("launch.\($0.name)", $0.value) }
        decoded.fields += [("provider", provider.name), ("id.family", inner.family)]
        decoded.fields += inner.fields.map { ("id.\($0.name)", $0.value) }
        return decoded
    }

    // MARK: Fields

    private static func fields(of launch: LaunchID) -> [(name: String, value: String)] {
        [
            ("account_id", String(launch.account)), ("campaign_id", String(launch.campaign)),
            ("launched_at", UnixTime.text(nanoseconds: launch.launchedAt)),
        ]
    }

    /// A key made by hand may hold 2^48 ms, which is past the last nanosecond: then the last one.
    private static func nanoseconds(of key: MessageKey) -> UInt64 {
        let (nanoseconds, overflow) = key.sentAtMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : nanoseconds
    }
}
