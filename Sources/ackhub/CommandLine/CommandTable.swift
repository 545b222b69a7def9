import CommandLineOptions
import HubServer
import Postgres

/// All commands, in the order of help; dispatch and help are driven by it.
enum CommandTable {
    static let commands: [Command] = [
        .serve, .migrate, .config, .keysNew, .keysRotate, .keysRetire, .keysList, .tokensCreate, .tokensList,
        .tokensRevoke, .jwtKeysAdd, .jwtKeysList, .jwtKeysRevoke, .mint, .render, .decode, .explain, .report,
        .reconcile, .ingest, .simulate, .version,
    ]

    /// Runs the command that `words` (without the program's name) begin with.
    static func run(_ words: [String]) -> ExitStatus {
        switch words.first {
        case nil:
            Output.diagnostic(Help.overview)
            return .usage
        case "--help", "-h":
            return self.print(Help.overview)
        case "help":
            return words.count == 1 ? self.print(Help.overview) : self.run(words.dropFirst() + ["--help"])
        case "--version":
            return self.run(["version"] + words.dropFirst())
        default:
            break
        }
        guard let (command, rest) = self.find(words) else { return self.explainUnknown(words) }
        if self.asksForHelp(rest) { return self.print(Help.page(of: command)) }
        return self.run(command, rest)
    }

    /// The command with the longest name that `words` begin with, and the words after it.
    private static func find(_ words: [String]) -> (Command, [String])? {
        for length in [2, 1] where words.count >= length {
            let name = words.prefix(length).joined(separator: " ")
            if let command = self.commands.first(where: { $0.name == name }) {
                return (command, Array(words.dropFirst(length)))
            }
        }
        return nil
    }

    private static func run(_ command: Command, _ words: [String]) -> ExitStatus {
        do {
            return try command.run(words)
        } catch let error as UsageError {
            for problem in error.problems { Output.diagnostic("ackhub \(command.name): \(problem)") }
            Output.diagnostic("See 'ackhub \(command.name) --help'.")
            return .usage
        } catch let error as PostgresError {
            Output.diagnostic("ackhub \(command.name): \(error.advice)")
            return .failure
        } catch {
            Output.diagnostic("ackhub \(command.name): \(error)")
            return .failure
        }
    }

    /// A group's name alone (`ackhub keys`) lists the group; another word is a mistake with a hint.
    private static func explainUnknown(_ words: [String]) -> ExitStatus {
        let group = self.commands.filter { $0.name.hasPrefix(words[0] + " ") }
        if !group.isEmpty {
            let page = Help.page(ofGroup: words[0], group)
            if self.asksForHelp(Array(words.dropFirst())) { return self.print(page) }
            if words.count > 1 { Output.diagnostic("ackhub \(words[0]): unknown command '\(words[1])'") }
            Output.diagnostic(page)
            return .usage
        }
        let names = self.commands.map { String($0.name.prefix { $0 != " " }) }
        let hint = NearestName.find(words[0], in: names).map { ": did you mean '\($0)'?" } ?? ""
        Output.diagnostic("ackhub: unknown command '\(words[0])'\(hint)\nSee 'ackhub --help'.")
        return .usage
    }

    private static func asksForHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private static func print(_ page: String) -> ExitStatus {
        do {
            try Output.line(page)
            return .success
        } catch {
            return .failure
        }
    }
}
