import HubLinks
import MessageIDs
import Testing

@testable import ackhub_bench

@Suite
struct LinkLaunchTests {
    private static let ring = KeyRing(createdAt: 0)
    private static let launch = LaunchID(account: 3, campaign: 4, launchedAt: 1_772_366_400_123_456_789)

    private func list(
        _ count: Int, acks: Int, opens: Int, closes: Bool = false, launches: Int = 1
    ) throws -> RequestList {
        var list = RequestList(authority: "127.0.0.1:9", closes: closes)
        let minter = try LinkMinter(keyRing: Self.ring, publicURL: "https://hub.example/push", style: .path)
        LinkLaunch(launches: LaunchRange(first: Self.launch, count: launches), acks: acks, opens: opens)
            .requests(count, minter: minter, publicURL: "https://hub.example/push", into: &list)
        return list
    }

    /// A link's path, whatever comes before it.
    @Test(
        arguments: [
            ("https://hub.example/push/ack/A", "/push/ack/A"), ("http://[::1]:80/a", "/a"), ("http://hub.example", ""),
            ("/ack/A", "/ack/A"),
        ])
    func findsThePath(url: String, path: String) { #expect(HubPath.path(of: url) == path) }

    private func request(_ list: RequestList, _ index: Int) -> String {
        String(decoding: list.bytes[list.starts[index]..<list.starts[index + 1]], as: UTF8.self)
    }

    /// Every request is a whole GET of a link that opens to a message of the launch, each kind and message once.
    @Test func mintsEachLinkOnce() throws {
        let list = try self.list(400, acks: 3, opens: 1)
        let opener = try LinkOpener(keyRing: Self.ring)
        var seen: Set<String> = []
        for index in 0..<list.count {
            let words = self.request(list, index).split(separator: " ")
            #expect(words[0] == "GET" && words[1].hasPrefix("/push/"))
            guard case .message(let kind, let message) = opener.read(target: words[1].utf8Span.span.bytes) else {
                Issue.record("\(words[1]) does not open")
                continue
            }
            #expect(message.launch == Self.launch)
            #expect((kind == .ack) == (list.kinds[index] == .ack))
            #expect(list.kinds[index] == (index % 4 < 3 ? .ack : .open))
            seen.insert("\(kind) \(message.text())")
        }
        #expect(seen.count == 400)
    }

    /// An open's message is one that was acked, where acks are not the fewer.
    @Test func opensFollowAcks() throws {
        let list = try self.list(10, acks: 1, opens: 1)
        let opener = try LinkOpener(keyRing: Self.ring)
        let messages = (0..<10).map { index -> String in
            let target = self.request(list, index).split(separator: " ")[1]
            guard case .message(_, let message) = opener.read(target: target.utf8Span.span.bytes) else { return "none" }
            return message.text()
        }
        for pair in 0..<5 { #expect(messages[2 * pair] == messages[2 * pair + 1]) }
    }

    /// Messages take turns among launches, each sent after its launch began, all of them different.
    @Test func spreadsMessagesOverLaunches() throws {
        let launches = LaunchRange(first: Self.launch, count: 3)
        let mix = LinkLaunch(launches: launches, acks: 1, opens: 1)
        let messages = (0..<9).map { mix.message($0) }
        #expect(messages.map(\.launch) == (0..<9).map { launches[$0 % 3] })
        #expect(Set(messages.map(\.launch.launchedAt)) == Set((0..<3).map { Self.launch.launchedAt + $0 }))
        #expect(messages.allSatisfy { $0.sentAt >= $0.launchedAt && $0.account == 3 && $0.campaign == 4 })
        #expect(Set(messages.map(\.messageKey)).count == 9)
        let opener = try LinkOpener(keyRing: Self.ring)
        let list = try self.list(12, acks: 1, opens: 1, launches: 3)
        let read = (0..<12).compactMap { index -> LaunchID? in
            let target = self.request(list, index).split(separator: " ")[1]
            guard case .message(_, let message) = opener.read(target: target.utf8Span.span.bytes) else { return nil }
            return message.launch
        }
        #expect(read == (0..<12).map { launches[$0 / 2 % 3] })
    }

    /// The bytes on the wire, as they are.
    @Test func writesWholeRequests() throws {
        var list = RequestList(authority: "h:1", closes: false)
        list.append(Array("/a".utf8), .other)
        list.append(Array("/bc".utf8), .other)
        #expect(self.request(list, 0) == "GET /a HTTP/1.1\r\nHost: h:1\r\nUser-Agent: ackhub-bench\r\n\r\n")
        #expect(self.request(list, 1) == "GET /bc HTTP/1.1\r\nHost: h:1\r\nUser-Agent: ackhub-bench\r\n\r\n")
        var closing = RequestList(authority: "h:1", closes: true)
        closing.append(Array("/a".utf8), .other)
        #expect(self.request(closing, 0).hasSuffix("\r\nConnection: close\r\n\r\n"))
        var authorized = RequestList(authority: "h:1", closes: false, token: "secret")
        authorized.append(Array("/a".utf8), .other)
        #expect(self.request(authorized, 0).hasSuffix("ackhub-bench\r\nAuthorization: Bearer secret\r\n\r\n"))
    }
}
