import MessageIDs
import Testing

@testable import EventStore

@Suite struct CounterKeyTests {
    private static let key = TotalKey(
        launch: LaunchID(account: 1, campaign: 7, launchedAt: 1_790_000_000_000_000_000), resource: 5, channel: 2,
        provider: 1,
        isTest: false, eventClass: .human)

    /// Whatever a sender varies, its keys lie apart: else one batch of them would take minutes.
    @Test(
        arguments: [
            { $0.resource += Int64($1) }, { $0.launch.campaign += Int64($1) }, { $0.launch.launchedAt += UInt64($1) },
            {
                $0.channel = UInt8($1 & 255)
                $0.provider = UInt8($1 >> 8)
            },
        ] as [@Sendable (inout TotalKey, Int) -> Void])
    func keysOfOneSenderLieApart(vary: @Sendable (inout TotalKey, Int) -> Void) {
        var hashes: Set<Int> = []
        for number in 0..<10_000 {
            var key = Self.key
            vary(&key, number)
            hashes.insert(key.hashValue)
        }
        #expect(hashes.count > 9_990)
    }

    @Test func equalKeysHaveEqualHashes() {
        let same = Self.key
        #expect(same == Self.key && same.hashValue == Self.key.hashValue)
    }
}
