import Glibc
import Postgres
import StrictJSON
import TestSupport
import Testing

/// `ackhub-bench` against a real hub and a real PostgreSQL: everything that was answered is there, and it can say no.
@Suite(.blocking) struct LoadTests {
    private func load(
        _ deployment: Deployment, _ hub: TestHub, _ words: [String]
    ) throws -> (status: Int32?, json: JSONValue?, diagnostics: String) {
        let process = try ChildProcess(
            Binary.besideTests("ackhub-bench"),
            [
                "run", "--url", hub.url, "--keys-file", deployment.folder.file("keys.json"), "--warm-up", "0",
                "--duration", "60", "--connections", "8", "--check-database", deployment.database.url, "--json",
            ] + words)
        process.closeInput()
        let status = process.wait(deadline: .seconds(90))
        let output = Array(process.standardOutput.utf8)
        return (status, try? JSONValue(parsing: output.span.bytes), process.standardError)
    }

    /// Acks and opens, some of them twice: each is one event, uniques are the links, and reconcile agrees.
    @Test(.timeLimit(.minutes(5))) func findsEveryEvent() throws {
        let deployment = try Deployment()
        let hub = deployment.makeHub()
        try hub.start()
        let (status, json, diagnostics) = try self.load(
            deployment, hub, ["--kinds", "ack:3,open:1", "--links", "800", "--requests", "1000"])
        #expect(status == 0, "\(diagnostics)")
        #expect(json?["all"]?["statuses"]?["204"]?.int64 == 1_000)
        #expect(json?["all"]?["repeats"]?.int64 == 200)
        #expect(json?["check"]?["events"]?.int64 == 1_000)
        #expect(json?["check"]?["differences"]?.items?.isEmpty == true)
        #expect(json?["check"]?["drain_seconds"]?.double != nil)
        try deployment.run(["reconcile"]).requireSuccess()
        #expect(hub.stop() == 0)
    }

    /// A database that loses an event is found out.
    @Test(.timeLimit(.minutes(5))) func findsALostEvent() throws {
        let deployment = try Deployment()
        let connection = try PostgresConnection(PostgresConfiguration(connection: deployment.database.url))
        // On each partition's insert: the parent's trigger is inherited by partitions attached later too.
        try connection.execute(
            """
            create function lose_one() returns trigger language plpgsql as $$ begin
                if new.kind = 1 and (select subscription_id from ackhub.message where message_key = new.message_key) = 7
                then return null; end if;
                return new;
            end $$;
            create trigger lose_one before insert on ackhub.event_log for each row execute function lose_one()
            """)
        let hub = deployment.makeHub()
        try hub.start()
        let (status, json, diagnostics) = try self.load(deployment, hub, ["--links", "100", "--requests", "100"])
        #expect(status == 1)
        #expect(diagnostics.contains("difference: acks, rows of event_log: 49 are stored, 50 were answered"))
        #expect(json?["check"]?["events"]?.int64 == 99)
        #expect(hub.stop() == 0)
    }

    /// Its help and its mistakes, as the hub's own commands give them.
    @Test func explainsItself() throws {
        let run = { (words: [String]) -> (Int32?, String, String) in
            let process = try ChildProcess(Binary.besideTests("ackhub-bench"), words)
            process.closeInput()
            return (process.wait(), process.standardOutput, process.standardError)
        }
        let commands = ["run", "compare", "mint", "post", "idle", "launches", "fill"]
        for words in [["--help"]] + commands.map({ [$0, "--help"] }) {
            let (status, output, diagnostics) = try run(words)
            #expect(status == 0 && output.contains("Usage: ackhub-bench") && diagnostics.isEmpty)
            #expect(output.lines.allSatisfy { $0.count <= 120 })
        }
        let (status, output, diagnostics) = try run(["rum"])
        #expect(status == 2 && output.isEmpty && diagnostics.contains("did you mean 'run'?"))
        let (remote, _, reason) = try run(["run", "--url", "http://192.0.2.1:80", "--targets", "x"])
        #expect(remote == 2 && reason.contains("--allow-remote"))
        let (shared, _, twice) = try run(["compare", "--side", "a", "--runs", "2"])
        #expect(shared == 2 && twice.contains("unknown option --runs"))
    }
}
