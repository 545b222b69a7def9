import CommandLineOptions

extension Command {
    private static let count = Option(
        "count", .count(in: 1...1_000_000_000), .defaults(to: 1, text: "1"),
        help: "how many messages, of profiles and subscriptions in sequence")
    private static let paths = Option<Bool>.flag(
        "paths", help: "print only the links' paths, ack and open, one a line (for load generators)")

    /// `ackhub mint`: links without a running hub.
    static let mint = Command(
        name: "mint",
        summary: "mint the links of messages in process",
        discussion: """
            Prints what POST /v1/links answers for each message: with --json one object a line, exactly as in its
            'messages'. With --count N the messages have N profiles and subscriptions in sequence.
            It uses the keys and public-url of the settings and needs no database. Minting in process does not count
            as sent: report the count with POST /v1/launches/{launch_id}/sent.
            """,
        options: MessageOptions.all + [count, paths, .json],
        requiredSettings: MessageOptions.requiredSettings,
        optionalSettings: MessageOptions.optionalSettings,
        run: { invocation in
            let arguments = invocation.arguments
            let options = MessageOptions(invocation)
            var printer = MintPrinter(
                minter: try options.makeMinter(), form: arguments[paths] ? .paths : arguments[.json] ? .json : .text)
            try options.eachMessage(count: arguments[count]) { try printer.print($0) }
            try printer.finish()
            return .success
        }
    )
}
