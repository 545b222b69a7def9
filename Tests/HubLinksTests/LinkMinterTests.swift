import MessageIDs
import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct LinkMinterTests {
    /// Minting is pure: again, by another minter, through the byte form.
    @Test(arguments: LinkStyle.allCases) func givesTheSameLinksAgain(_ style: LinkStyle) throws {
        let minter = try LinkMinter(keyRing: Samples.ring(), publicURL: Samples.base, style: style)
        let links = minter.mint(Samples.message)
        _ = minter.mint(Samples.largest)
        #expect(minter.mint(Samples.message) == links)
        #expect(try Samples.links(Samples.message, style) == links)
        var bytes = Array("x".utf8)
        minter.append(.open, Samples.message, to: &bytes)
        minter.append(.ack, Samples.message, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "x" + links.open + links.ack)
    }

    /// What is minted opens to what was minted, for random messages.
    @Test(arguments: LinkStyle.allCases) func mintedLinksOpen(_ style: LinkStyle) throws {
        var random = SeededRandom(seed: 1)
        let minter = try LinkMinter(keyRing: Samples.ring(), publicURL: Samples.base, style: style)
        let opener = try LinkOpener(keyRing: Samples.ring())
        for _ in 0..<500 {
            var message = Samples.message
            message.account = Int64(max(1, random.next() >> UInt64.random(in: 1...63, using: &random)))
            message.subscription = Int64(random.next() >> UInt64.random(in: 1...63, using: &random))
            message.profile = ProfileID((UInt128(random.next()) << 64) >> UInt128.random(in: 0...127, using: &random))
            message.sentAt = random.next()
            let links = minter.mint(message)
            #expect(opener.read(Samples.target(links.ack)) == .message(.ack, message))
            #expect(opener.read(Samples.target(links.open)) == .message(.open, message))
            #expect(minter.linkBytes(message) == links.ack.utf8.count + links.open.utf8.count)
        }
    }

    /// Tokens have a fixed ceiling (field report T32): 128 characters, and 120 with a profile of 64 bits, as base64url;
    /// 192 in hexadecimal.
    @Test func tokensHaveACeiling() throws {
        func token(_ message: SendMessageID, _ style: LinkStyle) throws -> Int {
            let url = try Samples.links(message, style).open
            return url.utf8.count
                - (url.lastIndex(of: "/").map { url.utf8.distance(from: url.startIndex, to: $0) + 1 } ?? 0)
        }
        var numeric = Samples.largest
        numeric.profile = ProfileID(UInt128(UInt64.max))
        #expect(try token(Samples.largest, .path) == 128)
        #expect(try token(numeric, .path) <= 120)
        #expect(try token(Samples.largest, .cryptoPostEvents) == 192)
        for style in LinkStyle.allCases {
            let minter = try LinkMinter(keyRing: Samples.ring(), publicURL: Samples.base, style: style)
            #expect(minter.linkBytes(Samples.largest) == minter.linkBytesMax)
        }
        #expect(try token(Samples.message, .path) < 80)
    }

    /// No id can be read off a token (field report T28): not as text, not in its bytes.
    @Test func tokensRevealNothing() throws {
        var message = Samples.message
        message.subscription = 0x1122_3344_5566
        message.profile = ProfileID(0xaabb_ccdd_eeff_0011)
        let url = try Samples.links(message, .cryptoPostEvents).open
        var body: [UInt8] = []
        message.appendBody(to: &body)
        let token = Hex.bytes(String(url.split(separator: "/").last ?? ""))
        for window in 0...body.count - 4 {
            let part = Hex.text(body[window..<window + 4])
            #expect(!Hex.text(token).contains(part))
        }
        // Two messages that differ in one bit share nothing but the key id.
        message.subscription ^= 1
        let other = Hex.bytes(
            String(try Samples.links(message, .cryptoPostEvents).open.split(separator: "/").last ?? ""))
        #expect(zip(token.dropFirst(), other.dropFirst()).count { $0 == $1 } < 8)
    }

    /// Good bases mint links that start with them.
    @Test(arguments: [
        "https://hub.example", "http://127.0.0.1:8080", "https://[::1]:443", "https://hub.example/push",
        "https://hub.example/a/b.c/d-e_f~g", "https://hub.example/v10", "http://h",
    ])
    func acceptsPublicURLs(_ url: String) throws {
        #expect(LinkMinter.problem(withPublicURL: url) == nil)
        let opener = try LinkOpener(keyRing: Samples.ring())
        for style in LinkStyle.allCases {
            let links = try LinkMinter(keyRing: Samples.ring(), publicURL: url, style: style).mint(Samples.message)
            #expect(links.open.hasPrefix(url + "/"))
            let path = url.split(separator: "/", maxSplits: 3).dropFirst(2).first.map { "/" + $0 } ?? ""
            #expect(links.open.contains(path))
            // The whole URL, as `ackhub explain` gets it, and the target behind scheme and host.
            #expect(opener.read(links.open) == .message(.open, Samples.message))
        }
    }

    /// Bases that would make broken links are refused in words.
    @Test(arguments: [
        "", "hub.example", "ftp://hub.example", "https://", "https:///path", "https://hub.example/",
        "https://hub.example//a",
        "https://hub.example/a//b", "https://hub.example?x=1", "https://hub.example/a?b", "https://hub.example/a#b",
        "https://user@hub.example", "https://hub example", "https://hub.example/ä", "https://hub.example/%41",
        "https://:8080", "https://hub.example/v1", "https://hub.example/v1/links", "HTTPS://hub.example",
        "https://hub.example/\n", "https://" + String(repeating: "a", count: 512),
    ])
    func refusesPublicURLs(_ url: String) throws {
        #expect(LinkMinter.problem(withPublicURL: url) != nil)
        #expect(throws: KeyRingError.self) {
            try LinkMinter(keyRing: Samples.ring(), publicURL: url, style: .path)
        }
    }
}
