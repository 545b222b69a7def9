import FoundationEssentials
import MessageIDs

// The ring's file format:
// {"version": 1, "keys": [{"id": 1, "state": "active", "created_at": "2026-01-01T00:00:00Z", "key_hex": "…"}]}
//
// Foundation's decoder leaves copies of the text in freed memory, which can't be wiped; our own copies are.
extension KeyRing {
    private static let formatVersion = 1
    /// The last second that 64 bits of nanoseconds hold: in the year 2554.
    private static let createdAtMax = Int64(UInt64.max / 1_000_000_000)

    /// Reads the ring's JSON, strictly: no unknown member, no missing one, every value in its range.
    ///
    /// For senders that keep the ring in a secret store; ``init(contentsOf:)`` reads a file and checks its mode.
    public init(json: [UInt8]) throws(KeyRingError) {
        let file: RingFile
        do {
            file = try JSONDecoder().decode(RingFile.self, from: Data(json))
        } catch let error as DecodingError {
            throw KeyRingError(.malformed, "The key ring is not valid: \(Self.reason(error)).")
        } catch {
            throw KeyRingError(.malformed, "The key ring is not valid JSON.")
        }
        guard file.version == Self.formatVersion else {
            throw KeyRingError(.malformed, "The key ring is of version \(file.version); this reads 1.")
        }
        var keys: [Key] = []
        for row in file.keys { keys.append(try Self.key(row)) }
        try self.init(keys: keys)
    }

    private static func key(_ row: RingFile.Row) throws(KeyRingError) -> Key {
        guard let id = UInt8(exactly: row.id) else {
            throw KeyRingError(.malformed, "A key's id is \(row.id); ids are 0 to 255.")
        }
        guard let state = State(rawValue: row.state) else {
            throw KeyRingError(.malformed, "Key \(id) has an unknown state; states are active, accepted, retired.")
        }
        guard let createdAt = UnixTime.nanoseconds(text: row.createdAt) else {
            throw KeyRingError(.malformed, "Key \(id) has a created_at that is not an RFC 3339 time.")
        }
        var bytes = [UInt8](repeating: 0, count: row.keyHex.utf8.count / 2)
        defer { bytes.wipe() }
        var text = Array(row.keyHex.utf8)
        defer { text.wipe() }
        guard text.count == Self.keyBytes * 2, TokenText.decodeHexadecimal(text.span, into: &bytes) else {
            throw KeyRingError(.malformed, "Key \(id) has a key_hex that is not \(Self.keyBytes * 2) hex digits.")
        }
        let entry = Entry(id: id, state: state, createdAt: Int64(createdAt / 1_000_000_000))
        return Key(entry: entry, secret: SecretBytes(bytes))
    }

    /// The ring as JSON, one key a line. Wipe it after use.
    func json() -> [UInt8] {
        var text = Array("{\"version\": \(Self.formatVersion), \"keys\": [\n".utf8)
        // Room for all, so that growing leaves no copy of a key behind.
        text.reserveCapacity(text.count + self.keys.count * 320 + 16)
        for (index, key) in self.keys.enumerated() {
            let seconds = UInt64(min(max(0, key.entry.createdAt), Self.createdAtMax))
            let createdAt = UnixTime.text(nanoseconds: seconds * 1_000_000_000)
            text += "  {\"id\": \(key.entry.id), \"state\": \"\(key.entry.state.rawValue)\", ".utf8
            text += "\"created_at\": \"\(createdAt)\", \"key_hex\": \"".utf8
            key.secret.withBytes { bytes in
                for byte in bytes {
                    text.append(TokenText.hexDigits[Int(byte >> 4)])
                    text.append(TokenText.hexDigits[Int(byte & 15)])
                }
            }
            text += "\"}\(index == self.keys.count - 1 ? "" : ",")\n".utf8
        }
        text += "]}\n".utf8
        return text
    }

    /// Where and what, never the text that was found there: it may be a key.
    private static func reason(_ error: DecodingError) -> String {
        let (what, context): (String, DecodingError.Context) =
            switch error {
            case .keyNotFound(let key, let context): ("\(key.stringValue) is missing", context)
            case .valueNotFound(_, let context): ("null where a value must be", context)
            case .typeMismatch(_, let context): ("a value of the wrong type", context)
            case .dataCorrupted(let context): (context.codingPath.isEmpty ? "not JSON" : "an unknown member", context)
            @unknown default: ("not JSON", DecodingError.Context(codingPath: [], debugDescription: ""))
            }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return path.isEmpty ? what : "\(what) at \(path)"
    }
}

private struct RingFile: Decodable {
    struct Row: Decodable {
        var id: Int
        var state: String
        var createdAt: String
        var keyHex: String

        init(from decoder: any Decoder) throws {
            let members = try decoder.strictMembers(["id", "state", "created_at", "key_hex"])
            self.id = try members.decode(Int.self, forKey: MemberName("id"))
            self.state = try members.decode(String.self, forKey: MemberName("state"))
            self.createdAt = try members.decode(String.self, forKey: MemberName("created_at"))
            self.keyHex = try members.decode(String.self, forKey: MemberName("key_hex"))
        }
    }

    var version: Int
    var keys: [Row]

    init(from decoder: any Decoder) throws {
        let members = try decoder.strictMembers(["version", "keys"])
        self.version = try members.decode(Int.self, forKey: MemberName("version"))
        self.keys = try members.decode([Row].self, forKey: MemberName("keys"))
    }
}

private struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { self.stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// An object that has no members beside these.
    fileprivate func strictMembers(_ names: Set<String>) throws -> KeyedDecodingContainer<MemberName> {
        let members = try self.container(keyedBy: MemberName.self)
        if let unknown = members.allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(forKey: unknown, in: members, debugDescription: "unknown member")
        }
        return members
    }
}
