import StrictJSON
import TestSupport
import Testing

@testable import ackhub

/// A whole launch against a real hub, and the faults that a simulation must find or survive.
@Suite(.blocking) struct SimulationTests {
    /// 500 messages with all their oddities: every figure is exact, and the raw events agree with the counters.
    @Test(.timeLimit(.minutes(5))) func isExactForAWholeLaunch() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let outcome = try deployment.simulate(hub, messages: 500, seed: 1, seconds: 3).requireSuccess()
        #expect(outcome.output.hasSuffix("no difference\n"))
        #expect(outcome.diagnostics.isEmpty)
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }

    /// One hit more than the simulation made is a difference, named, and exit status 1: the comparison can fail.
    @Test(.timeLimit(.minutes(5))) func noticesOneForeignHit() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let simulation = try deployment.startSimulation(
            hub, messages: 100, seed: 2, seconds: 3, ["--settle-seconds", "1"])
        let launch = try #require(try deployment.firstLaunch(hub))
        let path = try #require(
            try deployment.run([
                "mint", "--account", "1", "--campaign", "1", "--provider", "ios-apns", "--profile", "9",
                "--subscription", "9", "--launched-at", launch, "--paths",
            ]).requireSuccess().output.lines.first)
        #expect(hub.hit(path) == 204)
        #expect(simulation.wait() == 1)
        #expect(simulation.standardError.contains("difference: launch, acked:"))
        #expect(hub.stop() == 0)
    }

    /// A token of another account, a bad token and a hub that is not there end it with a reason.
    @Test func tellsWhyItCannotRun() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        let absent = try deployment.simulate(hub, messages: 10, seed: 1, seconds: 1, ["--patience-seconds", "1"])
        #expect(absent.status == 1)
        #expect(absent.diagnostics.contains("Connection refused"))
        try hub.start()
        let foreign = try deployment.simulate(hub, messages: 10, seed: 1, seconds: 1, ["--account", "2"])
        #expect(foreign.status == 1)
        #expect(foreign.diagnostics.contains("not of account 2"))
        #expect(try hub.onlyCampaign() == nil)
        let unknown = try deployment.run(["simulate", "--url", hub.url, "--token", "ackhub_x", "--messages", "10"])
        #expect(unknown.status == 1)
        #expect(unknown.diagnostics.contains("401"))
        #expect(hub.stop() == 0)
    }
}

extension Deployment {
    private func words(
        _ hub: TestHub, _ messages: Int, _ seed: Int, _ seconds: Int, _ more: [String]
    ) -> [String] {
        [
            "simulate", "--url", hub.url, "--token", self.token, "--messages", "\(messages)", "--seed", "\(seed)",
            "--seconds", "\(seconds)",
        ] + more
    }

    func simulate(
        _ hub: TestHub, messages: Int, seed: Int, seconds: Int, _ more: [String] = []
    ) throws -> Finished {
        try self.run(self.words(hub, messages, seed, seconds, more), deadline: .seconds(60))
    }

    func startSimulation(
        _ hub: TestHub, messages: Int, seed: Int, seconds: Int, _ more: [String] = []
    ) throws -> ChildProcess {
        try self.spawn(self.words(hub, messages, seed, seconds, more))
    }

    /// When the first launch that the database knows began, RFC 3339.
    func firstLaunch(_ hub: TestHub) throws -> String? {
        var launch: String?
        waitUntil {
            launch = (try? hub.json("/v1/reports/campaigns"))?["items"]?.items?.first?["first_launched_at"]?.text
            return launch != nil
        }
        return launch
    }
}
