import Foundation
import StrictJSON
import TestSupport
import Testing

/// The commands of `ackhub-bench` that measure something else than hits, against a real hub and a real PostgreSQL.
@Suite(.blocking) struct MeasuringTests {
    private func bench(_ words: [String]) throws -> (status: Int32?, output: String, diagnostics: String) {
        let process = try ChildProcess(Binary.besideTests("ackhub-bench"), words)
        process.closeInput()
        let status = process.wait(deadline: .seconds(60))
        return (status, process.standardOutput, process.standardError)
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8).span.bytes) }

    /// Links over HTTP: each line is answered, and a run with a refused line is not right.
    @Test(.timeLimit(.minutes(5))) func postsLines() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let body = deployment.folder.file("lines")
        let token = deployment.folder.file("token")
        try deployment.token.write(toFile: token, atomically: false, encoding: .utf8)
        let line = { (number: Int) in
            #"{"campaign_id":7,"provider":"android-firebase","profile_id":\#(number),"subscription_id":\#(number)}"#
                + "\n"
        }
        let words = [
            "post", "--url", hub.url, "--path", "/v1/links", "--body", body, "--process", "hub=\(try hub.pid())",
            "--runs", "1",
            "--json",
        ]
        try (1...20_000).map(line).joined().write(toFile: body, atomically: false, encoding: .utf8)
        let (status, output, diagnostics) = try self.bench(words + ["--token-file", token])
        #expect(status == 0, "\(diagnostics)")
        #expect(try self.json(output)["lines_per_cpu_second"]?["median"]?.double ?? 0 > 0)
        #expect(try hub.metric("ackhub_messages_minted_total") == 40_000)

        let (unauthorized, _, reason) = try self.bench(words)
        #expect(unauthorized == 1 && reason.contains("answered HTTP/1.1 401"))
        try ((1...20_000).map(line).joined() + #"{"campaign_id":7}"#).write(
            toFile: body, atomically: false, encoding: .utf8)
        let (refused, _, problem) = try self.bench(words + ["--token-file", token])
        #expect(refused == 1 && problem.contains("refused lines: 1"))
        #expect(hub.stop() == 0)
    }

    /// Idle connections are held and counted; the launches that they made have reports.
    @Test(.timeLimit(.minutes(5))) func holdsConnectionsAndFindsLaunches() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let keys = deployment.folder.file("keys.json")
        let (status, output, diagnostics) = try self.bench([
            "idle", "--url", hub.url, "--keys-file", keys, "--connections", "40", "--hold-seconds", "0", "--process",
            "hub=\(try hub.pid())", "--json",
        ])
        #expect(status == 0, "\(diagnostics)")
        let json = try self.json(output)
        #expect(json["connections"]?.int64 == 40 && json["resident_bytes"]?.int64 ?? 0 > 1 << 20)

        let (run, _, faults) = try self.bench([
            "run", "--url", hub.url, "--keys-file", keys, "--launches", "3", "--links", "60", "--requests", "60",
            "--campaign",
            "9", "--warm-up", "0", "--duration", "60", "--connections", "4", "--check-database",
            deployment.database.url,
        ])
        #expect(run == 0, "\(faults)")
        let (listed, paths, _) = try self.bench(["launches", "--database", deployment.database.url])
        #expect(listed == 0 && paths.lines.count == 4)
        let targets = deployment.folder.file("targets")
        let token = deployment.folder.file("token")
        try paths.write(toFile: targets, atomically: false, encoding: .utf8)
        try deployment.token.write(toFile: token, atomically: false, encoding: .utf8)
        let (reports, _, missing) = try self.bench([
            "run", "--url", hub.url, "--targets", targets, "--token-file", token, "--requests", "8", "--warm-up", "0",
            "--duration", "60", "--connections", "1",
        ])
        #expect(reports == 0, "\(missing)")
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }
}
