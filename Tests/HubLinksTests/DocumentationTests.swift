import Foundation
import HubLinks
import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct DocumentationTests {
    /// The example of the module's page runs, and its links open.
    @Test func theExampleMintsLinksThatOpen() throws {
        let folder = TemporaryFolder()
        let keysFile = folder.file("keys.json")
        try KeyRing(createdAt: 1_790_000_000).write(to: keysFile, replacing: false)
        let now: @Sendable () -> UInt64 = { 1_790_000_000_000_000_000 }
        let launchedAt: UInt64 = 1_789_999_999_000_000_000

        // Example begins.
        let ring = try KeyRing(contentsOf: keysFile)
        let minter = try LinkMinter(keyRing: ring, publicURL: "https://push.example.com", style: .path)
        let clock = SendClock(now: now)

        let message = SendMessageID(
            account: 1, campaign: 7, resource: 3, channel: .push, subscription: 43, profile: ProfileID(42),
            sentAt: clock.next(), launchedAt: launchedAt, provider: Provider(rawValue: 1), isTest: false,
            privacy: .keepAddress)
        let links = minter.mint(message)
        let payload = ["_uid": message.text(), "_launch_id": message.launch.text, "ack": links.ack, "open": links.open]
        // Example ends.

        let opener = try LinkOpener(keyRing: ring)
        let target = try #require(payload["open"]).dropFirst("https://push.example.com".count)
        #expect(opener.read(target: Array(target.utf8).span.bytes) == .message(.open, message))
        #expect(try SendMessageID(text: #require(payload["_uid"])) == message)
    }

    /// The page shows the code that the test above runs.
    @Test func thePageShowsTheTestedExample() throws {
        let this = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/HubLinks/HubLinks.docc/HubLinks.md"), encoding: .utf8)
        let tested = try #require(
            this.split(separator: "        // Example begins.\n").dropFirst().first?
                .split(separator: "        // Example ends.").first)
        let shown = try #require(page.split(separator: "```swift\n").dropFirst().first?.split(separator: "```").first)
        let lines = tested.split(separator: "\n").map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }
        #expect(lines == shown.split(separator: "\n"))
    }
}
