import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct MessageKeyTests {
    /// Version and variant of RFC 9562 stand in every key, and the send time leads it.
    @Test func isAVersion8UUIDThatLeadsWithTheTime() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<500 {
            let message = random.message()
            let key = message.messageKey
            #expect(key.value >> 76 & 15 == 8)
            #expect(key.value >> 62 & 3 == 2)
            #expect(key.sentAtMilliseconds == message.sentAt / 1_000_000)
            #expect(MessageKey(text: key.text) == key)
            #expect(MessageKey(text: key.text.uppercased()) == key)
        }
    }

    /// A later millisecond sorts later, whatever the rest is.
    @Test func sortsBySendTime() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<500 {
            var early = random.message()
            var late = random.message()
            early.sentAt = random.number(bits: 60)
            late.sentAt = early.sentAt + 1_000_000
            #expect(early.messageKey < late.messageKey)
        }
    }

    /// Any changed field is another message, and the same fields are the same one.
    @Test func dependsOnEveryField() {
        var random = SeededRandom(seed: 7)
        let message = random.message()
        let changes: [@Sendable (inout SendMessageID) -> Void] = [
            { $0.account ^= 1 }, { $0.campaign ^= 1 }, { $0.resource ^= 1 }, { $0.channel.rawValue ^= 1 },
            { $0.subscription ^= 1 }, { $0.profile.value ^= 1 }, { $0.sentAt ^= 1 }, { $0.launchedAt ^= 1 },
            { $0.provider.rawValue ^= 1 }, { $0.isTest.toggle() },
            { $0.privacy = $0.privacy == .keepAddress ? .dropAddress : .keepAddress },
        ]
        var keys: Set<MessageKey> = [message.messageKey]
        for change in changes {
            var other = message
            change(&other)
            keys.insert(other.messageKey)
        }
        #expect(keys.count == changes.count + 1)
        let same = message
        #expect(same.messageKey == message.messageKey)
    }

    /// Another version or variant is not a message key.
    @Test(arguments: [
        "", "0174fde9-401b-4c90-bfbd-3f55830b001e", "0174fde9-401b-8c90-3fbd-3f55830b001e",
        "0174fde9-401b-8c90-bfbd-3f55830b001", "0174fde9401b8c90bfbd3f55830b001e",
        "0174fde9-401b-8c90-bfbd-3f55830b001g",
    ])
    func refusesOtherUUIDs(_ text: String) { #expect(MessageKey(text: text) == nil) }

    /// Threads hash with contexts of their own: the keys agree with those of one thread.
    @Test func threadsAgree() async {
        var random = SeededRandom(seed: 8)
        let messages = (0..<200).map { _ in random.message() }
        let keys = messages.map(\.messageKey)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { messages.map(\.messageKey) == keys } }
            for await isEqual in group { #expect(isEqual) }
        }
    }
}
