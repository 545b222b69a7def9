import MessageIDs
import TestSupport
import Testing

@testable import HubLinks

/// One case of `Vectors/ids-and-tokens.json`, made by an independent implementation.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    var full, keyHex, ackPlaintextHex, ackToken, openToken, openTokenHex: String
    var keyId: UInt8

    static let all = Vectors.read(Vector.self)

    var testDescription: String { self.full }

    var id: SendMessageID { get throws { try SendMessageID(text: self.full) } }

    var keyRing: KeyRing {
        get throws {
            let entry = KeyRing.Entry(id: self.keyId, state: .active, createdAt: 0)
            return try KeyRing(keys: [KeyRing.Key(entry: entry, secret: SecretBytes(Hex.bytes(self.keyHex)))])
        }
    }
}

extension LinkOpener {
    func read(_ target: String) -> LinkReading { self.read(target: Array(target.utf8).span.bytes) }
}
