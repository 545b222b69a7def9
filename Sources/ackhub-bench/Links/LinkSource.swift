import EventStore
import HubLinks
import MessageIDs

extension LoadRun {
    /// How the links of a run are minted.
    struct LinkSource: Sendable {
        var keysFile: String
        var publicURL: String
        var style = LinkStyle.path
        var account: Int64
        var campaign: Int64
        var launches = 1
        var count: Int
        var acks = 1
        var opens = 1

        /// Adds the requests, of launches that begin now; returns these.
        func append(to list: inout RequestList) throws -> LaunchRange {
            let first = LaunchID(account: self.account, campaign: self.campaign, launchedAt: WallClock.now())
            let launches = LaunchRange(first: first, count: self.launches)
            let minter = try LinkMinter(
                keyRing: KeyRing(contentsOf: self.keysFile), publicURL: self.publicURL, style: self.style)
            LinkLaunch(launches: launches, acks: self.acks, opens: self.opens)
                .requests(self.count, minter: minter, publicURL: self.publicURL, into: &list)
            return launches
        }
    }
}
