import HubLinks
import MessageIDs

/// The launches of a run's own, whose links are minted beforehand: each is hit once, until they run out.
struct LinkLaunch: Sendable {
    let launches: LaunchRange
    /// How many links of a kind come before the other kind's turn; not both 0.
    let acks: Int
    let opens: Int

    /// Requests for `count` links: acks and opens in turn, each kind's first link that of the first message, so that an
    /// open follows its message's ack where both are hit evenly.
    func requests(_ count: Int, minter: LinkMinter, publicURL: String, into list: inout RequestList) {
        precondition(self.acks >= 0 && self.opens >= 0 && self.acks + self.opens > 0, "no kind of link")
        var link: [UInt8] = []
        let prefixBytes = HubPath.start(in: publicURL)
        list.reserve(count, targetBytes: minter.linkBytes(self.message(count)) / 2 - prefixBytes + 1)
        var minted = (acks: 0, opens: 0)
        for index in 0..<count {
            let isAck = index % (self.acks + self.opens) < self.acks
            let number = isAck ? minted.acks : minted.opens
            link.removeAll(keepingCapacity: true)
            minter.append(isAck ? .ack : .open, self.message(number), to: &link)
            list.append(link[prefixBytes...], isAck ? .ack : .open)
            if isAck { minted.acks += 1 } else { minted.opens += 1 }
        }
    }

    /// The message of that number (from 0): a nanosecond, a profile and a subscription of its own. The launches take
    /// turns, and all have begun when the first message is sent.
    func message(_ number: Int) -> SendMessageID {
        let launch = self.launches[number % self.launches.count]
        return SendMessageID(
            account: launch.account, campaign: launch.campaign, resource: 1, channel: .push,
            subscription: Int64(number) + 1, profile: ProfileID(UInt128(number) + 1),
            sentAt: self.launches.last.launchedAt + UInt64(number), launchedAt: launch.launchedAt,
            provider: Provider(rawValue: 1), isTest: false, privacy: .keepAddress)
    }
}
