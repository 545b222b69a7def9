import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// Two hubs share one database without harm (T40).
@Suite(.blocking) struct TwoHubsTests {
    /// 200 parallel hits on one message and 50 on one launch from each hub: exact, and nobody waits for a deadlock.
    @Test(.timeLimit(.minutes(5))) func countsExactlyFromTwoHubs() throws {
        let server = try TestPostgres.startPrivate()
        let deployment = try Deployment(on: server)
        let hubs = [deployment.makeHub("one"), deployment.makeHub("two")]
        for hub in hubs { try hub.start() }
        let paths = try deployment.mintPaths(count: 51)
        let opens = paths.filter { $0.hasPrefix("/open/") }
        let acks = paths.filter { $0.hasPrefix("/ack/") }
        let hits = Array(repeating: opens[0], count: 400) + (acks.dropFirst() + acks.dropFirst())
        #expect(ParallelHits(hits, to: hubs).allSatisfy { $0 == 204 })
        #expect(try hubs[0].waitForEvents(acks: 100, opens: 400))
        let row = try #require(try hubs[1].onlyCampaign())
        for (name, count) in ["opened": 1, "acked": 50, "derived": 1, "opens_total": 400, "acks_total": 100] {
            #expect(row[name]?.int64 == Int64(count), "\(name)")
        }
        try deployment.run(["reconcile"]).requireSuccess()
        for hub in hubs { #expect(hub.stop() == 0) }
        #expect(!server.log.contains("deadlock"))
    }
}
