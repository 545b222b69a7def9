/// The keys of a deployment. A value: reload by reading a new one.
///
/// Exactly one key is `active` and mints; `accepted` keys still open; `retired` ones are refused. Every hub of a
/// deployment, and every sender that mints in process, shares the ring. A ring is never printed: descriptions show
/// ``entries`` only.
public struct KeyRing: Sendable, CustomStringConvertible, CustomReflectable {
    public enum State: String, Sendable, CaseIterable { case active, accepted, retired }

    /// What a list shows of a key; never its bytes.
    public struct Entry: Hashable, Sendable {
        public var id: UInt8
        public var state: State
        /// UNIX seconds.
        public var createdAt: Int64
    }

    struct Key: Sendable {
        var entry: Entry
        var secret: SecretBytes
    }

    /// AES-256-SIV takes two keys of 256 bits.
    static let keyBytes = 64
    static let keysMax = 256

    private(set) var keys: [Key]

    /// A new ring with one active key (`ackhub keys new`); `createdAt` in UNIX seconds.
    public init(createdAt: Int64) {
        let entry = Entry(id: 1, state: .active, createdAt: createdAt)
        self.keys = [Key(entry: entry, secret: SecretBytes(randomCount: Self.keyBytes))]
    }

    /// Checks what every ring promises: see the type.
    init(keys: [Key]) throws(KeyRingError) {
        guard keys.count <= Self.keysMax else { throw KeyRingError(.malformed, "The ring has more than 256 keys.") }
        guard Set(keys.map(\.entry.id)).count == keys.count else {
            throw KeyRingError(.malformed, "Two keys of the ring have the same id.")
        }
        guard keys.count(where: { $0.entry.state == .active }) == 1 else {
            throw KeyRingError(.malformed, "The ring must have exactly one active key.")
        }
        for key in keys where key.secret.count != Self.keyBytes {
            throw KeyRingError(.malformed, "Key \(key.entry.id) is not \(Self.keyBytes) bytes long.")
        }
        self.keys = keys
    }

    /// In the order of the file: the oldest first.
    public var entries: [Entry] { self.keys.map(\.entry) }

    var active: Key {
        guard let key = self.keys.first(where: { $0.entry.state == .active }) else {
            preconditionFailure("a ring has an active key")
        }
        return key
    }

    /// Adds a fresh active key; the one before becomes accepted. Ids count on from the newest key's and are not reused
    /// while their key is in the ring.
    public mutating func rotate(createdAt: Int64) throws(KeyRingError) {
        let taken = Set(self.keys.map(\.entry.id))
        let newest = self.keys.last?.entry.id ?? 0
        guard let id = (1...256).map({ newest &+ UInt8(truncatingIfNeeded: $0) }).first(where: { !taken.contains($0) })
        else { throw KeyRingError(.full, "All 256 key ids are taken: remove retired keys from the file.") }
        let secret = SecretBytes(randomCount: Self.keyBytes)
        for index in self.keys.indices where self.keys[index].entry.state == .active {
            self.keys[index].entry.state = .accepted
        }
        self.keys.append(Key(entry: Entry(id: id, state: .active, createdAt: createdAt), secret: secret))
    }

    /// Refuses the key's tokens from now on. The active key can't be retired.
    public mutating func retire(id: UInt8) throws(KeyRingError) {
        guard let index = self.keys.firstIndex(where: { $0.entry.id == id }) else {
            throw KeyRingError(.unknownKey, "The ring has no key \(id).")
        }
        guard self.keys[index].entry.state != .active else {
            throw KeyRingError(.activeKey, "Key \(id) is active: rotate first, then retire it.")
        }
        self.keys[index].entry.state = .retired
    }

    public var description: String {
        self.entries.map { "\($0.id) \($0.state.rawValue)" }.joined(separator: ", ")
    }

    public var customMirror: Mirror { Mirror(self, children: ["entries": self.entries]) }
}
