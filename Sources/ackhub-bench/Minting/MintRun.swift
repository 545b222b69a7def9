import CommandLineOptions
import Glibc
import HubLinks
import MessageIDs

/// Mints as a sender does that has `HubLinks` in its own process: both links and the id's text, as strings, on one thread.
struct MintRun: Sendable {
    var messages: Int
    var style = LinkStyle.path
    var publicURL = "https://push.example.com"

    static let messagesMax = 100_000_000
    /// CPU time below which a run says nothing: a single interruption would be a good part of it.
    static let nanosecondsMin: UInt64 = 10_000_000

    /// CPU nanoseconds of the thread for all messages.
    ///
    /// - Throws: when what was minted last does not read back.
    func run() throws -> UInt64 {
        let ring = KeyRing(createdAt: 0)
        let minter = try LinkMinter(keyRing: ring, publicURL: self.publicURL, style: self.style)
        let first = LaunchID(account: 1, campaign: 1, launchedAt: 1_772_366_400_123_456_789)
        let launch = LinkLaunch(launches: LaunchRange(first: first, count: 1), acks: 1, opens: 1)
        precondition(self.messages > 0, "nothing to mint")
        var last: (links: LinkMinter.Links, id: String)?
        // What nobody looks at, the compiler need not make.
        var linkBytes = 0
        var idBytes = 0
        let start = Self.threadTime()
        for number in 0..<self.messages {
            let message = launch.message(number)
            let links = minter.mint(message)
            let id = message.text()
            linkBytes += links.ack.utf8.count + links.open.utf8.count
            idBytes += id.utf8.count
            last = (links, id)
        }
        let end = Self.threadTime()
        let message = launch.message(self.messages - 1)
        try Self.check(last!.links, last!.id, message, ring)
        guard linkBytes > self.messages * minter.linkBytes(launch.message(0)) / 2, idBytes > self.messages else {
            throw CommandError("\(self.messages) messages have only \(linkBytes) bytes of links")
        }
        return end - start
    }

    private static func check(
        _ links: LinkMinter.Links, _ id: String, _ message: SendMessageID, _ ring: KeyRing
    ) throws {
        let opener = try LinkOpener(keyRing: ring)
        for (kind, link) in [(EventKind.ack, links.ack), (.open, links.open)] {
            let target = HubPath.path(of: link)
            guard opener.read(target: target.utf8Span.span.bytes) == .message(kind, message) else {
                throw CommandError("the last \(kind.name) link does not open to its message")
            }
        }
        guard try SendMessageID(text: id) == message else { throw CommandError("the last id is not its message's") }
    }

    private static func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
