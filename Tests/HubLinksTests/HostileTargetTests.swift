import MessageIDs
import TestSupport
import Testing

@testable import HubLinks

/// Random and half-valid input into every reader: no crash, and nothing opens that was not minted.
@Suite(.blocking)
struct HostileTargetTests {
    @Test func randomTargetsNeverCrashTheOpener() throws {
        var random = SeededRandom(seed: 2)
        let opener = try LinkOpener(keyRing: Samples.ring())
        for _ in 0..<10_000 {
            let target = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            if case .message = opener.read(target: target.span.bytes) { Issue.record("opened \(target)") }
        }
    }

    /// Pieces of links in random order reach deeper than noise.
    @Test func recombinedTargetsNeverCrashTheOpener() throws {
        var random = SeededRandom(seed: 3)
        let opener = try LinkOpener(keyRing: Samples.ring())
        let token = String(Samples.target(try Samples.links().open).dropFirst(6))
        let hex = String(try Samples.links(Samples.message, .cryptoPostEvents).ack.split(separator: "/").last ?? "")
        let pieces = [
            "/", "//", "/ack", "/open", "/push", "/api/v1.1/pushes/crypto_post_events", "/crypto_post_events", "?", "&",
            "=",
            "#", "%", "%2", "%2F", "%3F", "=3D", ".gif", ".", ")", "\n", "\u{0}", "é", "https://", "/v1", token, hex,
            String(token.prefix(40)), token.uppercased(), String(repeating: "/a", count: 600),
        ]
        for _ in 0..<10_000 {
            let target = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }.joined()
            if case .message(_, let message) = opener.read(target) { #expect(message == Samples.message) }
        }
    }

    @Test func randomRingsNeverCrashTheReader() {
        var random = SeededRandom(seed: 4)
        let good = #"{"version": 1, "keys": [{"id": 1, "state": "active", "created_at": "2026-01-01T00:00:00Z"}]}"#
        for _ in 0..<1000 {
            var bytes = Array(good.utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            #expect(throws: KeyRingError.self) { try KeyRing(json: bytes) }
        }
    }
}
