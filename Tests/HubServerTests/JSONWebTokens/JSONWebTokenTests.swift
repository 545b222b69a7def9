import EventStore
import StrictJSON
import Testing

@testable import HubServer

/// What is no acceptable token, before any key is asked.
@Suite struct JSONWebTokenTests {
    private static func part(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
    private static let header = Self.part("{\"alg\":\"HS256\"}")
    private static let claims = Self.part("{}")

    /// Exactly three parts of strict base64url, the first two JSON objects with distinct names.
    @Test(arguments: [
        "", ".", "..", "...", "a.b.c", "\(Self.header).\(Self.claims)", "\(Self.header).\(Self.claims).AA.AA.AA",
        "\(Self.header).\(Self.claims).AA=", "\(Self.header).\(Self.claims).AB", "\(Self.header).\(Self.claims).A",
        "\(Self.header)=.\(Self.claims).AA", "\(Self.header).\(Self.claims).A+", "\(Self.header).\(Self.claims).A\n",
        " \(Self.header).\(Self.claims).AA", "\(Self.header). \(Self.claims).AA", ".\(Self.claims).AA",
        "\(Self.header)..AA", "\(Self.part("[]")).\(Self.claims).AA", "\(Self.header).\(Self.part("[]")).AA",
        "\(Self.part("{\"alg\":\"HS256\"")).\(Self.claims).AA",
        "\(Self.part("{\"alg\":\"HS256\"} x")).\(Self.claims).AA",
        "\(Self.part("{\"alg\":\"none\",\"alg\":\"HS256\"}")).\(Self.claims).AA",
        "\(Self.header).\(Self.part("{\"exp\":1,\"exp\":9999999999}")).AA",
        "\(Self.header).\(Self.part("{\"a\":" + String(repeating: "[", count: 50) + "}")).AA",
        "\(Self.part("{\"alg\":\"HS256\",\"kid\":7}")).\(Self.claims).AA",
        "\(Self.header).\(Self.claims)." + String(repeating: "A", count: 16_384),
    ])
    func refusesWhatIsMalformed(text: String) {
        #expect(throws: JWTFault.malformed) { try JSONWebToken(text) }
    }

    /// The three algorithms in their exact spelling; an unsigned token is none of them.
    @Test(arguments: [
        "{}", "{\"alg\":\"none\"}", "{\"alg\":\"None\"}", "{\"alg\":\"\"}", "{\"alg\":\"hs256\"}",
        "{\"alg\":\"HS384\"}",
        "{\"alg\":\"RS512\"}", "{\"alg\":\"PS256\"}", "{\"alg\":\"ES256K\"}", "{\"alg\":\"EdDSA\"}", "{\"alg\":null}",
        "{\"alg\":[\"HS256\"]}", "{\"alg\":\"HS256 \"}", "{\"Alg\":\"HS256\"}",
    ])
    func refusesOtherAlgorithms(header: String) {
        for signature in ["", "AA"] {
            #expect(throws: JWTFault.algorithm) {
                try JSONWebToken("\(Self.part(header)).\(Self.claims).\(signature)")
            }
        }
    }

    /// An extension that changes what the token means is refused before anything else of it is believed.
    @Test(arguments: [
        "{\"alg\":\"HS256\",\"crit\":[\"exp\"],\"exp\":1}", "{\"alg\":\"HS256\",\"crit\":[]}",
        "{\"alg\":\"HS256\",\"crit\":null}", "{\"alg\":\"HS256\",\"b64\":false,\"crit\":[\"b64\"]}",
        "{\"alg\":\"HS256\",\"b64\":false}", "{\"alg\":\"HS256\",\"b64\":\"true\"}",
    ])
    func refusesExtensions(header: String) {
        #expect(throws: JWTFault.extended) { try JSONWebToken("\(Self.part(header)).\(Self.claims).AA") }
    }

    /// The longest that is read has one byte less than 16 KiB.
    @Test func readsUpToItsLimit() throws {
        let head = "\(Self.header).\(Self.claims)."
        let digits = (JSONWebToken.bytesMax - head.utf8.count) / 4 * 4
        let token = try JSONWebToken(head + String(repeating: "A", count: digits))
        #expect(token.signature.count == digits / 4 * 3)
        #expect(token.algorithm == .hs256 && token.keyID == nil && token.claims == .object([]))
    }
}
