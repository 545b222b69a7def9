import CommandLineOptions
import Postgres

/// One command of the load generator: what dispatch and help need to know of it, and what it does.
struct BenchCommand: Sendable {
    let name: String
    /// One line for the list of commands.
    let summary: String
    let usage: String
    /// More for its own help: behaviour, limits, what it prints.
    let discussion: String
    let options: [any CommandOption]
    /// Takes the words behind the command's name. The result goes to stdout; whatever is thrown, to stderr.
    let run: @Sendable ([String]) throws -> ExitStatus

    private static let all: [BenchCommand] = [.runOnce, .compare, .fill, .mint, .post, .idle, .launches]

    /// Runs the command that `words` (without the program's name) begin with.
    static func run(_ words: [String]) -> ExitStatus {
        guard let first = words.first else {
            Output.diagnostic(Self.overview)
            return .usage
        }
        if first == "--help" || first == "-h" || words == ["help"] { return Self.print(Self.overview) }
        guard let command = Self.all.first(where: { $0.name == first }) else {
            let hint = NearestName.find(first, in: Self.all.map(\.name)).map { ": did you mean '\($0)'?" } ?? ""
            Output.diagnostic("ackhub-bench: unknown command '\(first)'\(hint)\nSee 'ackhub-bench --help'.")
            return .usage
        }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") { return Self.print(command.page) }
        return command.runReporting(rest)
    }

    private func runReporting(_ words: [String]) -> ExitStatus {
        do {
            return try self.run(words)
        } catch let error as UsageError {
            for problem in error.problems { Output.diagnostic("ackhub-bench \(self.name): \(problem)") }
            Output.diagnostic("See 'ackhub-bench \(self.name) --help'.")
            return .usage
        } catch {
            Output.diagnostic("ackhub-bench \(self.name): \(error)")
            return .failure
        }
    }

    private static var overview: String {
        """
        ackhub-bench: loads a hub, a peer or a database, and checks that all of it is stored

        Usage: ackhub-bench COMMAND [OPTION]…

        \(HelpText.list(self.all.map { ($0.name, $0.summary) }))

        'ackhub-bench COMMAND --help' explains one. Results go to stdout, diagnostics to stderr. Exit status: 0 done and
        all right, 1 a request failed, an event is missing or the work failed, 2 the command line is wrong.
        """
    }

    private var page: String {
        let options = HelpText.list(self.options.map { (HelpText.form(of: $0), HelpText.help(of: $0)) })
        return [
            self.summary, "Usage: ackhub-bench \(self.name) \(self.usage)", self.discussion, "Options:\n" + options,
        ]
        .joined(separator: "\n\n")
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
