import Glibc
import TestSupport
import Testing

@testable import ackhub

/// What signals do to a hub.
@Suite(.blocking) struct SignalTests {
    /// SIGTERM: what was answered is in the database when the process has ended with 0.
    @Test(.timeLimit(.minutes(5)), arguments: [SIGTERM, SIGINT]) func drainsAndStops(signal: Int32) throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let acks = try deployment.mintPaths(count: 100).filter { $0.hasPrefix("/ack/") }
        #expect(ParallelHits(acks, to: [hub]).allSatisfy { $0 == 204 })
        hub.signal(signal)
        #expect(hub.waitForExit() == 0)
        #expect(hub.hit(acks[0]) == nil)
        let report = try deployment.run(["report", "--account", "1", "--json"]).requireSuccess().output
        #expect(report.contains(#""acks_total":100"#))
    }

    /// T36: with the database away a stop still ends in time, and the next start loads what was left.
    @Test(.timeLimit(.minutes(5))) func stopsWithoutADatabase() throws {
        let server = try TestPostgres.startPrivate()
        let deployment = try Deployment(on: server)
        let hub = deployment.makeHub()
        try hub.start(["--drain-seconds", "1"])
        let acks = try deployment.mintPaths(count: 30).filter { $0.hasPrefix("/ack/") }
        try server.stop()
        #expect(ParallelHits(acks, to: [hub]).allSatisfy { $0 == 204 })
        #expect(hub.stop() == 0)
        #expect(hub.log.contains("stays in the spool"))
        try server.start()
        try hub.start()
        #expect(try hub.waitForEvents(acks: 30, opens: 0))
        #expect(hub.stop() == 0)
    }

    /// SIGHUP: links of a new key are known, links of a retired one no longer; a broken file changes nothing.
    @Test(.timeLimit(.minutes(5))) func reloadsKeys() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let old = try deployment.mintPaths(count: 1)[0]
        try deployment.run(["keys", "rotate"]).requireSuccess()
        let new = try deployment.mintPaths(count: 1)[0]
        #expect(hub.hit(old) == 204)
        #expect(hub.hit(new) == 404)
        hub.signal(SIGHUP)
        #expect(waitUntil { hub.hit(new) == 204 })
        #expect(hub.hit(old) == 204)
        try deployment.run(["keys", "retire", "1"]).requireSuccess()
        hub.signal(SIGHUP)
        #expect(waitUntil { hub.hit(old) == 404 })
        #expect(chmod(deployment.folder.file("keys.json"), 0o644) == 0)
        let logged = hub.log.lines.count
        hub.signal(SIGHUP)
        #expect(waitUntil { hub.log.lines.count > logged })
        #expect(hub.hit(new) == 204)
        #expect(hub.stop() == 0)
    }
}
