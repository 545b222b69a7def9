/// A channel (design section 1). Unknown numbers are kept.
public struct Channel: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reads `push`, `web-push`, `InApp`, `2`… Case, spaces, `-` and `_` do not matter.
    public init?(name: String) {
        if let code = Spelling.code(name) {
            self.init(rawValue: code)
            return
        }
        guard let spelling = Spelling.normalized(name), let index = Self.names.firstIndex(of: spelling) else {
            return nil
        }
        self.init(rawValue: UInt8(index + 1))
    }

    /// `push`, or the number for an unknown channel.
    public var name: String {
        let index = Int(self.rawValue) - 1
        return Self.names.indices.contains(index) ? Self.names[index] : String(self.rawValue)
    }

    public static let email = Channel(rawValue: 1)
    public static let push = Channel(rawValue: 2)
    public static let sms = Channel(rawValue: 3)
    public static let webpush = Channel(rawValue: 4)
    public static let inapp = Channel(rawValue: 5)

    /// By number, from 1.
    private static let names = ["email", "push", "sms", "webpush", "inapp"]
}
