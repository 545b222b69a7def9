import CommandLineOptions
import HubLinks
import StrictJSON

extension BenchCommand {
    private static let messages = Option(
        "messages", .count(in: 1...MintRun.messagesMax), .defaults(to: 1_000_000, text: "1000000"),
        help: "minted in each run")
    private static let mintRuns = Option(
        "runs", .count(in: 1...1_000), .defaults(to: 5, text: "5"), help: "how often, behind one run to warm up")
    private static let mintStyle = Option("style", .linkStyle, .defaults(to: .path, text: "path"), help: "of the links")
    private static let mintRow = Option("row", .text("NAME"), help: "print one Markdown row of that name instead")

    /// `ackhub-bench mint`: what minting costs a sender.
    static let mint = BenchCommand(
        name: "mint",
        summary: "mint in this process and say how many messages a second of CPU gives",
        usage: "[OPTION]…",
        discussion: """
            Mints both links and the id's text of message after message, as strings, through the public interface of the
            library HubLinks, on one thread, and reads the last ones back. Prints the median of the runs with the least
            and the greatest: messages per second of the thread's CPU time, and microseconds a message. A run must take at
            least 10 ms of it, else the exit status is 1. A Markdown row has both medians.
            """,
        options: [messages, mintRuns, mintStyle, mintRow, .json],
        run: { words in
            let arguments = try Arguments.parse(words, options: [messages, mintRuns, mintStyle, mintRow, .json])
            let run = MintRun(messages: arguments[messages], style: arguments[mintStyle])
            _ = try run.run()
            var costs: [Double] = []
            for _ in 0..<arguments[mintRuns] {
                let nanoseconds = try run.run()
                guard nanoseconds >= MintRun.nanosecondsMin else {
                    throw CommandError(
                        "--messages \(run.messages) are too few: they took \(nanoseconds / 1_000) µs of CPU time, "
                            + "less than \(MintRun.nanosecondsMin / 1_000_000) ms")
                }
                costs.append(Double(nanoseconds) / 1_000 / Double(run.messages))
            }
            try CostReport(name: "message", microseconds: costs).print(arguments, row: arguments.ifGiven(mintRow))
            return .success
        }
    )
}
