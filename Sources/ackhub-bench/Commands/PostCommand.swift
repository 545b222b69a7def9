import CommandLineOptions
import StrictJSON

extension BenchCommand {
    private static let url = Option(
        "url", .loadURL, .required, help: "where the hub listens: http, an address of this machine and a port")
    private static let path = Option("path", .requestPath, .required, help: "what is asked: /v1/links or /v1/payloads")
    private static let body = Option("body", .text("PATH"), .required, help: "a file of lines, up to 1 GiB")
    private static let tokenFile = Option("token-file", .text("PATH"), help: "holds an API token")
    private static let processes = Option(
        "process", .processes, .required, help: "processes whose CPU time is read, their children included")
    private static let runs = Option(
        "runs", .count(in: 1...1_000), .defaults(to: 5, text: "5"), help: "how often, behind one run to warm up")
    private static let timeout = Option(
        "timeout", .count("SECONDS", in: 1...3_600), .defaults(to: 300, text: "300"), help: "how long a run may take")
    private static let row = Option("row", .text("NAME"), help: "print one Markdown row of that name instead")
    private static let options: [any CommandOption] = [
        url, path, body, tokenFile, processes, runs, timeout, row, .json,
    ]

    /// `ackhub-bench post`: what a line of NDJSON costs the server.
    static let post = BenchCommand(
        name: "post",
        summary: "send a file of lines as one request and say what each line cost",
        usage: "--url URL --path PATH --body PATH --process NAME=PID [OPTION]…",
        discussion: """
            Sends the file as one NDJSON request and reads the answer as it streams back. Prints the median of the runs
            with the least and the greatest: lines per second of the processes' CPU time, and microseconds a line. The
            kernel counts CPU time in ticks of 10 ms: a run should have some hundred thousand lines. A Markdown row has
            both medians. Exit status 1 when a line is refused or not answered.
            """,
        options: options,
        run: { words in
            let arguments = try Arguments.parse(words, options: options)
            let url = arguments[url]
            guard url.isLoopback else { throw UsageError(problems: ["--url: \(url.host) is another machine"]) }
            let upload = LineUpload(
                url: url, path: arguments[path],
                body: try InputFile.read(arguments[body], bytesMax: LineUpload.bodyBytesMax),
                token: try arguments.ifGiven(tokenFile).map(InputFile.token), processes: arguments[processes],
                timeoutNanoseconds: UInt64(arguments[timeout]) * 1_000_000_000)
            guard upload.lineCount > 0 else { throw CommandError("\(arguments[body]) holds no line") }
            _ = try upload.run()
            var outcomes: [LineUpload.Outcome] = []
            for _ in 0..<arguments[runs] { outcomes.append(try upload.run()) }
            let costs = outcomes.map { outcome in
                Double(outcome.cpuMicroseconds.dropLast().reduce(0, +)) / Double(upload.lineCount)
            }
            guard costs.allSatisfy({ $0 > 0 }) else {
                throw CommandError("\(upload.lineCount) lines are too few: they took less than a tick of CPU time")
            }
            try CostReport(name: "line", microseconds: costs).print(arguments, row: arguments.ifGiven(row))
            let refused = outcomes.reduce(0) { $0 + $1.lines.refused }
            guard refused == 0 else { throw CommandError("refused lines: \(refused)") }
            return .success
        }
    )
}

extension OptionType where Value == String {
    /// An absolute path without spaces or what no request line can hold.
    fileprivate static let requestPath = OptionType(placeholder: "PATH") { text throws(OptionProblem) in
        guard text.hasPrefix("/"), text.utf8.count <= 1_024, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw OptionProblem(detail: "'\(text)' is not like /v1/links")
        }
        return text
    }
}
