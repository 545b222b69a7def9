import Glibc
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// What was answered survives whatever ends the hub.
@Suite(.blocking) struct KillTests {
    /// `kill -9` at random instants of a launch, minting included, and a new start each time: every answered hit is in the
    /// database, once.
    @Test(.timeLimit(.minutes(5)), arguments: [11, 12]) func losesNothingWhenKilled(seed: Int) throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let simulation = try deployment.startSimulation(hub, messages: 600, seed: seed, seconds: 5)
        var random = SimulationRandom(seed: UInt64(seed))
        var kills = 0
        while simulation.isRunning && kills < 6 {
            usleep(UInt32.random(in: 50_000...900_000, using: &random))
            hub.kill()
            kills += 1
            try hub.start()
        }
        #expect(simulation.wait(deadline: .seconds(40)) == 0, "\(simulation.standardError)\(simulation.standardOutput)")
        #expect(kills == 6)
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }

    /// T33, T34: the database is away, the hub goes on to answer, is killed, and all comes in after both are back.
    @Test(.timeLimit(.minutes(5))) func keepsHitsWhileEverythingFails() throws {
        let server = try TestPostgres.startPrivate()
        let deployment = try Deployment(on: server)
        let hub = deployment.makeHub()
        try hub.start()
        let paths = try deployment.mintPaths(count: 300)
        try server.stop()
        #expect(ParallelHits(paths.filter { $0.hasPrefix("/ack/") }, to: [hub]).allSatisfy { $0 == 204 })
        #expect(hub.readiness == 200)
        hub.kill()
        try server.start()
        try hub.start()
        #expect(try hub.waitForEvents(acks: 300, opens: 0))
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }

    /// T02: the same open again, after a minute's worth of hits and a restart, is one unique open.
    @Test(.timeLimit(.minutes(5))) func countsAReplayAfterARestartOnce() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        let open = try #require(try deployment.mintPaths(count: 1).last)
        for _ in 0..<3 {
            try hub.start()
            #expect(hub.hit(open) == 204)
            #expect(hub.hit(open) == 204)
            #expect(hub.stop() == 0)
        }
        try hub.start()
        #expect(try hub.waitForEvents(acks: 0, opens: 6))
        let row = try #require(try hub.onlyCampaign())
        #expect(row["opened"]?.int64 == 1)
        #expect(row["derived"]?.int64 == 1)
        #expect(hub.stop() == 0)
    }
}
