import StrictJSON
import TestSupport

@testable import ackhub

extension Deployment {
    /// Ack and open paths of messages of account 1, campaign 1, minted without a hub.
    func mintPaths(count: Int) throws -> [String] {
        try self.run([
            "mint", "--account", "1", "--campaign", "1", "--provider", "android-firebase", "--profile", "1",
            "--subscription", "1", "--count", "\(count)", "--paths",
        ]).requireSuccess().output.lines
    }
}

extension TestHub {
    /// The row of the only campaign; nil while there is none.
    func onlyCampaign() throws -> JSONValue? { try self.json("/v1/reports/campaigns")["items"]?.items?.first }

    /// Waits until exactly so many events have come in; false when there are others after a while.
    func waitForEvents(acks: Int64, opens: Int64) throws -> Bool {
        waitUntil {
            guard let row = try? self.onlyCampaign() else { return false }
            return row["acks_total"]?.int64 == acks && row["opens_total"]?.int64 == opens
        }
    }
}
