import MessageIDs
import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct LinkOpenerTests {
    private let opener: LinkOpener
    private let path: LinkMinter.Links
    private let hex: LinkMinter.Links

    init() throws {
        self.opener = try LinkOpener(keyRing: Samples.ring())
        self.path = try Samples.links()
        self.hex = try Samples.links(Samples.message, .cryptoPostEvents)
    }

    private func damage(_ target: String) -> LinkDamage? {
        guard case .damaged(let damage) = self.opener.read(target) else { return nil }
        return damage
    }

    private static func encodedWholly(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
    }

    // MARK: What travel does

    /// What travel appends or wraps around is undone, in both styles (field reports T22; design section 4).
    @Test(arguments: [
        "", "?utm_id=1", "?utm_source=x&fbclid=y", "&utm_source=x", "#frag", "?a=/open/b#c", ".", ",", ")", ">", "/",
        "%0A",
        "%0D%0A", ".)", ">.", ").,", "//", "/?x=1", ".gif", ".GIF", ".gif?x=1", ".gif)", "%23x", "%3Fx=1", "%26x=1",
        "%3E",
        "%29", ".#.", "&", "?", "#",
    ])
    func toleratesWhatIsAppended(_ back: String) {
        for url in [self.path.open, self.hex.open] {
            let target = Samples.target(url) + back
            #expect(self.opener.read(target) == .message(.open, Samples.message), "\(target)")
            #expect(self.opener.wantsImage == back.lowercased().hasPrefix(".gif"))
        }
        #expect(self.opener.read(Samples.target(self.path.ack) + back) == .message(.ack, Samples.message))
    }

    /// A crypto_post_events link keeps its token in the query, before any parameter; a writer of pairs adds `=`.
    @Test(arguments: ["&utm_source=x", "&utm_source=x&y=/ack/z", "=", "=&utm_source=x", "#x", "%3D"])
    func readsTheTokenBeforeParameters(_ back: String) {
        #expect(self.opener.read(Samples.target(self.hex.ack) + back) == .message(.ack, Samples.message))
    }

    /// Prefixes, doubled slashes, and percent-encoding of any character.
    @Test func toleratesRewrittenPaths() {
        for url in [self.path.open, self.hex.open] {
            let target = Samples.target(url)
            let expected = LinkReading.message(.open, Samples.message)
            #expect(self.opener.read("/push/a.b" + target) == expected)
            #expect(self.opener.read("//push//x" + target) == expected)
            #expect(self.opener.read("/" + target) == expected)
            #expect(self.opener.read(target.replacing("/", with: "//")) == expected)
            #expect(self.opener.read(target.replacing("/", with: "///")) == expected)
            #expect(self.opener.read(Self.encodedWholly(target)) == expected)
            #expect(self.opener.read(Self.encodedWholly(target).uppercased()) == expected)
            #expect(self.opener.read(url) == expected)
            #expect(self.opener.read(url.replacing("https", with: "HTTP")) == expected)
            let characters = Array(target)
            for index in characters.indices {
                let encoded =
                    String(characters[..<index]) + Self.encodedWholly(String(characters[index]))
                    + String(characters[(index + 1)...])
                #expect(self.opener.read(encoded) == expected)
            }
        }
        let encodedQuery = Samples.target(self.hex.open).replacing("?", with: "%3F").replacing("/", with: "%2F")
        #expect(self.opener.read(encodedQuery) == .message(.open, Samples.message))
        let withSlash = Samples.target(self.hex.open).replacing("?", with: "/?")
        #expect(self.opener.read(withSlash) == .message(.open, Samples.message))
    }

    /// A changed case (field report T21): hexadecimal still counts, base64url is rejected and named.
    @Test func survivesChangedCaseInHexadecimalOnly() {
        let hex = Samples.target(self.hex.open)
        #expect(self.opener.read(hex.uppercased()) == .message(.open, Samples.message))
        #expect(self.opener.read(hex.lowercased()) == .message(.open, Samples.message))
        #expect(self.opener.read(self.hex.ack.uppercased()) == .message(.ack, Samples.message))
        let path = Samples.target(self.path.open)
        #expect(self.damage(path.uppercased()) == .letterCase)
        #expect(self.damage(path.lowercased()) == .letterCase)
        // The path alone in another case is harmless.
        #expect(self.opener.read(path.replacing("/open/", with: "/OPEN/")) == .message(.open, Samples.message))
    }

    /// A query longer than any buffer does not matter behind the token (field report T27).
    @Test(arguments: [2_049, 8_192, 20_481, 200_000]) func readsTokensBeforeLongQueries(_ count: Int) {
        let query = "?x=" + String(repeating: "a", count: count)
        #expect(self.opener.read(Samples.target(self.path.open) + query) == .message(.open, Samples.message))
        let more = "&x=" + String(repeating: "a", count: count)
        #expect(self.opener.read(Samples.target(self.hex.open) + more) == .message(.open, Samples.message))
        #expect(self.damage("/open/" + String(repeating: "a", count: count)) == .overlong)
        #expect(self.opener.read("/" + String(repeating: "a", count: count)) == .notALink)
    }

    // MARK: Damage

    /// Every bit of a token flipped, in both styles: never a message (field report T29).
    @Test(arguments: LinkStyle.allCases) func rejectsEveryFlippedBit(_ style: LinkStyle) throws {
        let text: TokenText = style == .path ? .base64URL : .hexadecimal
        let url = Samples.target(style == .path ? self.path.open : self.hex.open)
        let slash = try #require(url.lastIndex(of: "/"))
        let (front, token) = (url[...slash], Array(url[url.index(after: slash)...].utf8))
        var bytes = [UInt8](repeating: 0, count: 96)
        let count = try token.withUnsafeBufferPointer { from in
            try bytes.withUnsafeMutableBufferPointer { try text.decode(from, into: $0).get() }
        }
        for bit in 0..<count * 8 {
            var flipped = Array(bytes[..<count])
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            var changed = [UInt8](repeating: 0, count: text.textBytes(count))
            flipped.withUnsafeBytes { from in changed.withUnsafeMutableBufferPointer { text.encode(from, into: $0) } }
            let expected: LinkDamage = bit < 8 ? .unknownKey : .authentication
            #expect(self.damage(front + String(decoding: changed, as: UTF8.self)) == expected)
        }
    }

    /// Every truncation of a link is damaged or no link at all, never a message; every one of the token is damaged.
    @Test(arguments: LinkStyle.allCases) func rejectsEveryTruncation(_ style: LinkStyle) throws {
        let url = Samples.target(style == .path ? self.path.open : self.hex.open)
        let slash = try #require(url.lastIndex(of: "/"))
        let tokenStart = url.utf8.distance(from: url.startIndex, to: slash) + 1
        for count in 0..<url.utf8.count {
            let cut = String(url.prefix(count))
            if count >= tokenStart - 1 {
                let damage = self.damage(cut)
                #expect(damage == .truncated || damage == .authentication, "\(cut)")
            } else {
                #expect(self.opener.read(cut) == .notALink || self.damage(cut) == .truncated, "\(cut)")
            }
        }
    }

    /// Every other character at every place of a base64url token is rejected: it has one text.
    @Test func rejectsEveryChangedCharacter() {
        let target = Array(Samples.target(self.path.open).utf8)
        for index in 6..<target.count {
            for byte in UInt8(0x21)...0x7e where byte != target[index] {
                var changed = target
                changed[index] = byte
                if case .message = self.opener.read(target: changed.span.bytes) {
                    // A `?`, `#`, `&` or trail in the middle cuts the token, which must not authenticate either.
                    Issue.record("\(byte) at \(index)")
                }
            }
        }
    }

    /// Each kind of damage is named (field reports T20, T24, T30, T31).
    @Test(arguments: [
        ("/open/", LinkDamage.truncated), ("/open", .truncated), ("/ack/.", .truncated), ("/x/ack/", .truncated),
        ("/open/AAAA", .truncated), ("/open/\(String(repeating: "Aa", count: 18))", .truncated),
        ("/open/\(String(repeating: "Aa", count: 20))A", .truncated),
        ("/open/\(String(repeating: "Ba", count: 20))", .unknownKey),
        ("/open/\(String(repeating: "Aa", count: 65))", .overlong),
        ("/open/AQ\(String(repeating: "Aa", count: 21))", .authentication),
        ("/open/AQ/AAAA", .alphabet), ("/ack/AQ//AAAA", .alphabet), ("/open/AQ+AAAA", .alphabet),
        ("/open/AQ%2BAAAA", .alphabet), ("/open/AQ AAAA", .alphabet),
        ("/open/AQ%20AAAA", .alphabet), ("/open/AQAA=", .alphabet), ("/open/AQ%zz", .alphabet), ("/open/%", .alphabet),
        ("/open/AQ%00AAAA", .alphabet), ("/open/AQ=3DAA", .quotedPrintable), ("/open/AQ%3D3DAA", .quotedPrintable),
        ("/open/AQ=%0D%0AAA", .quotedPrintable), ("/open/AQ=\r\nAA", .quotedPrintable),
        ("/api/v1.1/pushes/crypto_post_events", .truncated), ("/api/v1.1/pushes/crypto_post_events?", .truncated),
        ("/api/v1.1/pushes/crypto_post_events?/", .truncated), ("/api/v1.1/pushes/crypto_post_events?/0", .truncated),
        ("/api/v1.1/pushes/crypto_post_events?/0g", .alphabet),
        ("/api/v1.1/pushes/crypto_post_events?utm_source=x", .alphabet),
        ("/api/v1.1/pushes/crypto_post_events=3F/00", .quotedPrintable),
        ("/api/v1.1/pushes/crypto_post_events/00", .alphabet),
        ("/api/v1.1/pushes/crypto_post_events?/\(String(repeating: "00", count: 40))", .unknownKey),
        ("/api/v1.1/pushes/crypto_post_events?/01\(String(repeating: "00", count: 40))", .authentication),
        ("/api/v1.1/pushes/crypto_post_events?/\(String(repeating: "0", count: 193))", .overlong),
    ])
    func namesTheDamage(_ target: String, _ damage: LinkDamage) {
        #expect(self.damage(target) == damage)
    }

    /// Damage inside a real token, as travel does it (field reports T20, T24).
    @Test func namesDamageInsideARealToken() {
        let target = Samples.target(self.path.open)
        let (front, back) = (String(target.prefix(30)), String(target.dropFirst(30)))
        #expect(self.damage(front + "+" + back) == .alphabet)
        #expect(self.damage(front + "%20" + back) == .alphabet)
        #expect(self.damage(front + "=\r\n" + back) == .quotedPrintable)
        #expect(self.damage(front + "=0D=0A" + back) == .quotedPrintable)
        #expect(self.damage(target + "=") == .alphabet)
        #expect(self.damage(target + "%20") == .alphabet)
        #expect(self.damage(front + "?" + back) != nil)
        #expect(self.damage(target + target) != nil || self.opener.read(target + target) != .notALink)
    }

    /// The next token in order is no message (field report T28).
    @Test func rejectsIncrementedTokens() {
        let target = Samples.target(self.hex.open)
        for digit in "0123456789abcdef" where digit != target.last {
            #expect(self.damage(target.dropLast() + String(digit)) == .authentication)
        }
    }

    /// A link of one kind below the other's path is rejected (field report T30).
    @Test func rejectsTheOtherKindsPath() {
        let ack = Samples.target(self.path.ack)
        let open = Samples.target(self.path.open)
        #expect(self.damage(ack.replacing("/ack/", with: "/open/")) == .wrongKind)
        #expect(self.damage(open.replacing("/open/", with: "/ack/")) == .wrongKind)
        #expect(self.damage(open.replacing("/open/", with: "/ack/") + "?x=1") == .wrongKind)
    }

    // MARK: Keys

    /// After a rotation old links open; after retirement they are refused; the key id tells which opened (T31).
    @Test func keysComeAndGo() throws {
        var ring = try Samples.ring(id: 7)
        let target = Samples.target(
            try LinkMinter(keyRing: ring, publicURL: Samples.base, style: .path).mint(Samples.message).open)
        try ring.rotate(createdAt: 0)
        let rotated = try LinkOpener(keyRing: ring)
        #expect(rotated.read(target) == .message(.open, Samples.message))
        #expect(rotated.keyID == 7)
        let fresh = try LinkMinter(keyRing: ring, publicURL: Samples.base, style: .path).mint(Samples.message).open
        #expect(rotated.read(Samples.target(fresh)) == .message(.open, Samples.message))
        #expect(rotated.keyID == 8)
        try ring.retire(id: 7)
        let retired = try LinkOpener(keyRing: ring)
        #expect(retired.read(target) == .damaged(.retiredKey))
        #expect(retired.read(Samples.target(fresh)) == .message(.open, Samples.message))
        let foreign = try LinkOpener(keyRing: Samples.ring(id: 9))
        #expect(foreign.read(target) == .damaged(.unknownKey))
        let sameID = try LinkOpener(keyRing: Samples.ring(id: 7, seed: 99))
        #expect(sameID.read(target) == .damaged(.authentication))
    }

    /// An authentic token of another format, or around no message, is named as such and refused.
    @Test func refusesAuthenticTokensOfOtherContent() throws {
        var body: [UInt8] = []
        Samples.message.appendBody(to: &body)
        let cases: [([UInt8], LinkReading)] = [
            ([1, 2] + body, .message(.open, Samples.message)), ([2, 2] + body, .damaged(.version)),
            ([0, 2] + body, .damaged(.version)), ([1, 3] + body, .damaged(.version)),
            ([1, 0] + body, .damaged(.version)),
            ([1, 1] + body, .damaged(.wrongKind)), ([1, 2] + body + [0], .damaged(.body)),
            ([1, 2] + body.dropLast(), .damaged(.body)),
            ([1, 2] + [UInt8](repeating: 0x80, count: 20), .damaged(.body)),
        ]
        let key = Samples.key(id: 1, state: .active, seed: 1)
        let siv = try key.secret.withBytes { bytes throws(KeyRingError) in try AESSIV(key: bytes, associatedData: [[1]])
        }
        for (plaintext, expected) in cases {
            var token = [UInt8](repeating: 1, count: LinkToken.overheadBytes + plaintext.count)
            plaintext.withUnsafeBytes { from in
                token.withUnsafeMutableBytes { siv.seal(from, into: UnsafeMutableRawBufferPointer(rebasing: $0[1...])) }
            }
            var text = [UInt8](repeating: 0, count: TokenText.base64URL.textBytes(token.count))
            token.withUnsafeBytes { from in
                text.withUnsafeMutableBufferPointer { TokenText.base64URL.encode(from, into: $0) }
            }
            #expect(self.opener.read("/open/" + String(decoding: text, as: UTF8.self)) == expected)
        }
    }

    // MARK: Other routes

    /// Routes of the hub and of other dialects are no links.
    @Test(arguments: [
        "", "/", "*", "?", "#", "/v1/links", "/v1/launches/2_4S_4HFn8RDhhmA/sent", "/v1/messages/open/x",
        "/v1/open/AAAA",
        "/v1/ack/", "//v1/links", "/healthz", "/event/push/open", "/event/push/delivery", "/event/push/open/",
        "/event/push/open?matching_mode=push_sub", "/json/1.3/pushStat", "/api/v1.1/pushes/post_events", "/opens/AAAA",
        "/xopen/AAAA", "/dashboard", "/favicon.ico", "open/AAAA", "/x?y=/open/AAAA",
        "/x#/open/AAAA", "/x&/open/AAAA", "/api/v1.1/pushes/crypto_post_event?/00", "https://hub.example", "https:",
    ])
    func leavesOtherRoutesAlone(_ target: String) { #expect(self.opener.read(target) == .notALink) }

    /// A target without a flaw takes the fast way; one with a flaw does not.
    @Test func cleanTargetsNeedNoRepair() {
        func isClean(_ target: String) -> Bool {
            let token = ScratchBytes(count: LinkToken.bytesMax)
            return Array(target.utf8).withUnsafeBufferPointer { target in
                guard let location = LinkTarget.clean(target) else { return false }
                let text = UnsafeBufferPointer(rebasing: target[location.range])
                return (try? location.text.decode(text, into: token.bytes).get()) != nil
            }
        }
        for url in [self.path.ack, self.path.open, self.hex.ack] {
            let target = Samples.target(url)
            #expect(isClean(target))
            #expect(isClean("/prefix/a.b" + target))
            for flaw in ["?x=1", ".", "/", ".gif", "%0A"] { #expect(!isClean(target + flaw)) }
            for flaw in ["/", "/a?b", "/a%20", "/v1"] { #expect(!isClean(flaw + target)) }
        }
    }
}
