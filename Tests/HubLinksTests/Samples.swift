import MessageIDs

@testable import HubLinks

/// Messages and rings that several suites share.
enum Samples {
    static let base = "https://hub.example"

    static let message = SendMessageID(
        account: 1, campaign: 224, resource: 50, channel: .push, subscription: 43, profile: ProfileID(42),
        sentAt: 1_790_000_000_000_000_000, launchedAt: 1_789_999_999_000_000_000, provider: Provider(rawValue: 1),
        isTest: false, privacy: .keepAddress)

    /// Every field at its largest.
    static let largest = SendMessageID(
        account: .max, campaign: .max, resource: .max, channel: Channel(rawValue: 255), subscription: .max,
        profile: ProfileID(.max), sentAt: .max, launchedAt: 0, provider: Provider(rawValue: 255), isTest: true,
        privacy: .anonymous)

    static func ring(id: UInt8 = 1, state: KeyRing.State = .active, seed: UInt8 = 1) throws -> KeyRing {
        let key = Self.key(id: id, state: state, seed: seed)
        return try KeyRing(
            keys: state == .active ? [key] : [key, Self.key(id: id &+ 1, state: .active, seed: seed &+ 1)])
    }

    static func key(id: UInt8, state: KeyRing.State, seed: UInt8) -> KeyRing.Key {
        let secret = SecretBytes((0..<64).map { seed &* 31 &+ UInt8($0) })
        return KeyRing.Key(entry: KeyRing.Entry(id: id, state: state, createdAt: 1_790_000_000), secret: secret)
    }

    /// The target of a URL minted with ``base``.
    static func target(_ url: String) -> String { String(url.dropFirst(Self.base.count)) }

    static func links(_ message: SendMessageID = Self.message, _ style: LinkStyle = .path) throws -> LinkMinter.Links {
        try LinkMinter(keyRing: Self.ring(), publicURL: Self.base, style: style).mint(message)
    }
}
