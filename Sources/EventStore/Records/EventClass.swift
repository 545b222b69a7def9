/// Who caused a hit. Opens of `human` and `proxy` count; acks always do. Classes are stored, never dropped.
package enum EventClass: UInt8, CaseIterable, Sendable {
    case human = 0, proxy, prefetch, bot, suspect

    /// As in reports, exports and `ackhub.class_name`.
    package var name: String {
        switch self {
        case .human: "human"
        case .proxy: "proxy"
        case .prefetch: "prefetch"
        case .bot: "bot"
        case .suspect: "suspect"
        }
    }

    package var countsOpens: Bool { self == .human || self == .proxy }
}
