import CommandLineOptions
import MessageIDs
import Postgres

extension BenchCommand {
    private static let database = Option(
        "database", .text("URL"), .required, help: "the hub's database, as libpq reads it")
    private static let account = Option("account", .id(from: 1), .defaults(to: 1, text: "1"), help: "whose launches")
    private static let count = Option(
        "count", .count(in: 1...LaunchRange.countMax), .defaults(to: 1_000, text: "1000"), help: "at most so many")

    /// `ackhub-bench launches`: what to ask a hub for that was filled before.
    static let launches = BenchCommand(
        name: "launches",
        summary: "print the paths of stored launches' reports, for --targets",
        usage: "--database URL [OPTION]…",
        discussion: "A path a line, like /v1/reports/launches/2_8_4HFn8RDhhmA; those with the most events first.",
        options: [database, account, count],
        run: { words in
            let arguments = try Arguments.parse(words, options: [database, account, count])
            let connection = try PostgresConnection(PostgresConfiguration(connection: arguments[database]))
            let launches = try StoredLaunches.largest(arguments[count], of: arguments[account], on: connection)
            guard !launches.isEmpty else { throw CommandError("account \(arguments[account]) has no launch") }
            try Output.line(launches.map { "/v1/reports/launches/\($0.text)" }.joined(separator: "\n"))
            return .success
        }
    )
}
