import TestSupport
import Testing

@testable import ackhub

/// The binary's manners: help, exit statuses, what goes to which stream.
@Suite(.blocking) struct CommandLineTests {
    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Finished {
        let process = try ChildProcess(Binary.path, arguments, environment: environment)
        let status = process.wait()
        return Finished(
            arguments: arguments, status: status, output: process.standardOutput, diagnostics: process.standardError)
    }

    /// Every command explains itself on stdout, whatever else is on its line.
    @Test(arguments: CommandTable.commands.map(\.name))
    func explainsItself(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let finished = try self.run(words + ["--nonsense", "--help"])
        #expect(finished.status == 0)
        #expect(finished.output.contains("Usage: ackhub \(command)"))
        #expect(finished.diagnostics.isEmpty)
        #expect(try self.run(["help"] + words).output == finished.output)
    }

    /// The list of commands names all of them.
    @Test func listsItsCommands() throws {
        let finished = try self.run(["--help"])
        #expect(finished.status == 0)
        for command in CommandTable.commands { #expect(finished.output.contains("  \(command.name) ")) }
    }

    /// A wrong command line or setting is exit status 2, told on stderr alone, with nothing done.
    @Test(arguments: [
        ([], [:], "Usage: ackhub COMMAND"),
        (["srve"], [:], "did you mean 'serve'?"),
        (["keys"], [:], "keys rotate"),
        (["keys", "rotat"], [:], "unknown command 'rotat'"),
        (["serve", "--lisen", "x"], [:], "did you mean --listen?"),
        (["serve"], [:], "ACKHUB_SPOOL_DIR is required"),
        (["migrate"], [:], "ACKHUB_DATABASE_URL is required"),
        (["mint", "--account", "0"], [:], "--campaign is missing"),
        (["decode"], [:], "ID is missing"),
        (["report"], ["ACKHUB_DATABASE_URL": "host=/nowhere"], "either --account or --launch is needed"),
        (
            ["report", "--account", "2", "--launch", "2_4S_4HFn8RDhhmA"], ["ACKHUB_DATABASE_URL": "host=/nowhere"],
            "is of account 1, not 2"
        ),
        (
            ["report", "--launch", "2_4S_4HFn8RDhhmA", "--to", "2026-12-01T00:00:00Z"],
            ["ACKHUB_DATABASE_URL": "host=/nowhere"], "--to selects campaigns"
        ),
        (["reconcile", "--account", "x"], ["ACKHUB_DATABASE_URL": "host=/nowhere"], "'x' is not a whole number"),
        (["config"], ["ACKHUB_LINK_TTL_DAYS": "soon"], "ACKHUB_LINK_TTL_DAYS must be"),
        (["config"], ["ACKHUB_SPOL_DIR": "/x"], "did you mean ACKHUB_SPOOL_DIR?"),
        (["simulate", "--url", "https://hub.example"], [:], "is not like http://host:port"),
        (["keys", "retire", "x"], ["ACKHUB_KEYS_FILE": "/nowhere"], "'x' is not a key id"),
    ])
    func refusesWrongUsage(arguments: [String], environment: [String: String], diagnostic: String) throws {
        let finished = try self.run(arguments, environment)
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        #expect(finished.diagnostics.contains(diagnostic))
    }

    /// Work that fails is exit status 1, told on stderr alone.
    @Test(arguments: [
        (["migrate"], ["ACKHUB_DATABASE_URL": "host=/nowhere"]),
        (["decode", "nonsense"], [:]),
        (["explain", "/ack/x"], ["ACKHUB_KEYS_FILE": "/nowhere"]),
        (["keys", "list"], ["ACKHUB_KEYS_FILE": "/nowhere"]),
    ])
    func failsWithStatusOne(arguments: [String], environment: [String: String]) throws {
        let finished = try self.run(arguments, environment)
        #expect(finished.status == 1)
        #expect(finished.output.isEmpty)
        #expect(finished.diagnostics.hasPrefix("ackhub \(arguments[0])"))
    }

    /// A result that can't be written is not success.
    @Test func noticesAFullDisk() throws {
        let finished = try ChildProcess("/bin/sh", ["-c", "exec \(Binary.path) version > /dev/full"])
        #expect(finished.wait() == 1)
        #expect(finished.standardError.contains("No space left"))
    }

    /// Passwords stay hidden in what `config` prints.
    @Test func hidesSecrets() throws {
        let finished = try self.run(["config"], ["ACKHUB_DATABASE_URL": "postgresql://me:hunter2@db/x"])
        #expect(finished.status == 0)
        #expect(finished.output.contains("ACKHUB_DATABASE_URL="))
        #expect(!finished.output.contains("hunter2"))
        #expect(finished.output.contains("ACKHUB_LINK_TTL_DAYS=90"))
    }

    /// The public example of a launch id.
    @Test func decodesThePublicExample() throws {
        let finished = try self.run(["decode", "2_4S_4HFn8RDhhmA", "--json"])
        #expect(
            finished.output.trimmed
                == #"{"family":"launch","fields":{"account_id":"1","campaign_id":"224","#
                + #""launched_at":"2020-10-06T12:35:55.942397338Z"}}"#)
    }
}
