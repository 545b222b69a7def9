import Glibc
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// Devices notice nothing of a database that is away.
@Suite(.blocking) struct OutageTests {
    /// PostgreSQL crashes and comes back during a launch: no hit fails, the backlog drains, every figure is exact.
    @Test(.timeLimit(.minutes(5))) func playsOnWithoutPostgreSQL() throws {
        let server = try TestPostgres.startPrivate(settings: ["fsync": "on", "synchronous_commit": "on"])
        let deployment = try Deployment(on: server)
        let hub = deployment.makeHub()
        try hub.start()
        let simulation = try deployment.startSimulation(hub, messages: 500, seed: 21, seconds: 8, ["--json"])
        // Minting needs the database; the devices that come after it do not.
        #expect(waitUntil { ((try? hub.onlyCampaign())?["acks_total"]?.int64 ?? 0) > 10 })
        try server.stop()
        // The outage lasts until the hub has noticed it and a good part of the launch came in meanwhile.
        let before = try hub.metric("ackhub_spool_records_total")
        #expect(try waitUntil { try hub.metric("ackhub_loader_connected") == 0 })
        #expect(try waitUntil { try hub.metric("ackhub_spool_records_total") >= before + 50 })
        try server.start()
        #expect(simulation.wait(deadline: .seconds(40)) == 0, "\(simulation.standardError)\(simulation.standardOutput)")
        let json = simulation.standardOutput
        #expect(json.contains(#""failed":0"#))
        #expect(json.contains(#""unavailable":0"#))
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }
}
