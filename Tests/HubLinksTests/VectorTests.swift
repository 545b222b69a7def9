import HubLinks
import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct VectorTests {
    /// The file has all its cases: a loop over none would prove nothing.
    @Test func thereAreTwentyFourVectors() { #expect(Vector.all.count == 24) }

    /// Both tokens of every worked case are minted exactly, in both texts.
    @Test(arguments: Vector.all) func mintsEveryToken(_ vector: Vector) throws {
        let base = "https://hub.example"
        let ring = try vector.keyRing
        let links = try LinkMinter(keyRing: ring, publicURL: base, style: .path).mint(vector.id)
        #expect(links.ack == "\(base)/ack/\(vector.ackToken)")
        #expect(links.open == "\(base)/open/\(vector.openToken)")
        let hex = try LinkMinter(keyRing: ring, publicURL: base, style: .cryptoPostEvents).mint(vector.id)
        #expect(hex.open == "\(base)/api/v1.1/pushes/crypto_post_events?/\(vector.openTokenHex)")
    }

    /// Both tokens of every worked case open to the message, in both texts.
    @Test(arguments: Vector.all) func opensEveryToken(_ vector: Vector) throws {
        let id = try vector.id
        let opener = try LinkOpener(keyRing: vector.keyRing)
        #expect(opener.read("/ack/\(vector.ackToken)") == .message(.ack, id))
        #expect(opener.read("/open/\(vector.openToken)") == .message(.open, id))
        let hex = "/api/v1.1/pushes/crypto_post_events?/\(vector.openTokenHex)"
        #expect(opener.read(hex) == .message(.open, id))
        #expect(opener.keyID == vector.keyId)
    }
}
