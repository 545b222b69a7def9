/// How much a message's events may keep of the person behind them (bits 1–2 of the id's flags).
public enum Privacy: UInt8, Hashable, Sendable, CaseIterable {
    /// Keep the client address.
    case keepAddress = 0
    /// Mask the client address (/24, /48).
    case maskAddress = 1
    /// Drop the client address and the user agent.
    case dropAddress = 2
    /// As `dropAddress`; and profile and subscription are 0 from minting on: see ``SendMessageID/asMinted``.
    case anonymous = 3
}
