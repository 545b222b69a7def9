import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct SendMessageIDBodyTests {
    private func body(_ message: SendMessageID) -> [UInt8] {
        var body: [UInt8] = []
        message.appendBody(to: &body)
        return body
    }

    private func read(_ body: [UInt8]) throws(MessageIDError) -> SendMessageID {
        try SendMessageID(body: body.span.bytes)
    }

    /// Random messages read back, and their length is known before writing.
    @Test func roundTripsRandomValues() throws {
        var random = SeededRandom(seed: 10)
        for _ in 0..<3000 {
            let message = random.message()
            let body = self.body(message)
            #expect(try self.read(body) == message)
            #expect(message.bodyBytes == body.count)
        }
    }

    /// The stated limits are reached and not passed.
    @Test func limitsAreExact() throws {
        #expect(self.body(.largest).count == SendMessageID.bodyBytesMax)
        #expect(self.body(.smallest).count == SendMessageID.bodyBytesMin)
        #expect(try self.read(self.body(.largest)) == .largest)
        #expect(try self.read(self.body(.smallest)) == .smallest)
    }

    /// Send and launch times at both ends of 64 bits, in both orders: the delay takes 65 bits and its sign.
    @Test(
        arguments: [UInt64.min, 1, UInt64(Int64.max), .max - 1, .max],
        [UInt64.min, 1, UInt64(Int64.max), .max - 1, .max])
    func keepsEveryPairOfTimes(_ sentAt: UInt64, _ launchedAt: UInt64) throws {
        var message = SendMessageID.smallest
        message.sentAt = sentAt
        message.launchedAt = launchedAt
        #expect(try self.read(self.body(message)) == message)
    }

    /// A cut at any byte is noticed as a cut, an added byte as trailing.
    @Test func refusesEveryCutAndAddition() {
        var random = SeededRandom(seed: 11)
        for message in [random.message(), .largest, .smallest] {
            let body = self.body(message)
            for count in 0..<body.count {
                let cut = Array(body[..<count])
                #expect(errorCode { () throws(MessageIDError) in try self.read(cut) } == .truncated)
            }
            for byte in UInt8.min ... .max {
                let code = errorCode { () throws(MessageIDError) in try self.read(body + [byte]) }
                #expect(code == .trailingBytes)
            }
        }
    }

    /// Each field's forbidden forms, written by hand: account, campaign, resource, channel, subscription, sent, profile
    /// length, profile, provider, flags, launch.
    @Test(arguments: [
        ("00 00 00 00 00 00 00 01 00 00", MessageIDError.Code.outOfRange),  // account 0
        ("8000 00 00 00 00 00 00 01 00 00", .nonMinimal),  // account 0 in two bytes
        ("8100 00 00 00 00 00 00 01 00 00", .nonMinimal),  // account 1 in two bytes
        ("ffffffffffffffffff01 00 00 00 00 00 00 01 00 00", .outOfRange),  // account 2^64−1
        ("01 808080808080808080 01 00 00 00 00 00 01 00 00", .outOfRange),  // campaign 2^63
        ("01 00 00 8002 00 00 00 01 00 00", .outOfRange),  // channel 256
        ("01 00 00 ff00 00 00 00 01 00 00", .nonMinimal),  // channel 127 in two bytes
        ("01 00 00 00 00 ffffffffffffffffff02 00 01 00 00", .outOfRange),  // sent 2^64 and more
        ("01 00 00 00 00 00 01 00 01 00 00", .nonMinimal),  // profile 0 in one byte
        ("01 00 00 00 00 00 02 00 2a 01 00 00", .nonMinimal),  // profile 42 in two bytes
        ("01 00 00 00 00 00 11 0101010101010101010101010101010101 01 00 00", .outOfRange),  // profile of 17 bytes
        ("01 00 00 00 00 00 ff 01 00 00", .outOfRange),
        ("01 00 00 00 00 00 00 01 08 00", .outOfRange),  // unknown flags
        ("01 00 00 00 00 00 00 01 80 00", .outOfRange),
        ("01 00 00 00 00 00 00 01 00 02", .outOfRange),  // launched 1 ns before 1970
        ("01 00 00 00 00 00 00 01 00 8000", .nonMinimal),
        ("01 00 00 00 00 01 00 01 00 ffffffffffffffffff7f", .outOfRange),  // launched past 2^64
    ])
    func refusesOtherForms(_ hex: String, _ code: MessageIDError.Code) {
        let body = Hex.bytes(hex.filter { $0 != " " })
        #expect(errorCode { () throws(MessageIDError) in try self.read(body) } == code)
    }

    /// Whatever reads, reads from its one body: random changes of a body never read as the same message.
    @Test func noTwoBodiesReadAsOneMessage() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<300 {
            let body = self.body(random.message())
            for _ in 0..<20 {
                var changed = body
                changed[Int.random(in: body.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
                if let message = try? self.read(changed) { #expect(self.body(message) == changed) }
            }
        }
    }

    /// Anonymous messages lose profile and subscription when minted, others keep them.
    @Test func anonymousMessagesAreMintedWithoutThePerson() {
        var message = SendMessageID.largest
        #expect(message.asMinted.profile == ProfileID(0))
        #expect(message.asMinted.subscription == 0)
        #expect(message.asMinted.account == message.account)
        message.privacy = .dropAddress
        #expect(message.asMinted == message)
    }
}
