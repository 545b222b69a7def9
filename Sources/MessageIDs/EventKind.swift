/// What happened to a message: `ack` = the device received it, `open` = the person tapped it.
///
/// The raw value is the byte inside a hub link's token (design section 4).
public enum EventKind: UInt8, Hashable, Sendable, CaseIterable {
    case ack = 1
    case open = 2

    /// `ack` or `open`: the word in URLs, JSON and metrics.
    public var name: String {
        switch self {
        case .ack: "ack"
        case .open: "open"
        }
    }
}
