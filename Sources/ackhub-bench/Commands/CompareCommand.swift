import CommandLineOptions

extension BenchCommand {
    private static let runs = Option(
        "runs", .count(in: 1...1_000), .defaults(to: 5, text: "5"), help: "how often each side runs")
    private static let row = Option("row", .text("NAME"), help: "print one Markdown row of that name instead")
    private static let columns = Option(
        "columns", .figures, .defaults(to: [.cpu, .rate], text: "cpu,rate"),
        help: "the row's figures:\n"
            + Figure.allCases.map { "\($0.rawValue): \($0.help)" }.joined(separator: "\n"))
    private static let own: [any CommandOption] = [runs, row, columns, .json]
    private static let side = Option("side", .text("NAME"), help: "begins a side, with the options of 'run' behind it")

    /// `ackhub-bench compare`: alternating runs of several sides.
    static let compare = BenchCommand(
        name: "compare",
        summary: "load several servers in turn and compare their medians",
        usage: "[OPTION]… --side NAME [OPTION]… [--side NAME [OPTION]…]…",
        discussion: """
            Options before the first --side are every side's; those behind one are that side's alone, and are those of
            'ackhub-bench run'. The sides take turns, there and back again (A B, B A, A B …), so that what the machine
            does meanwhile hits them alike. Prints for each figure the median of the runs with the least and the
            greatest, and for two sides the ratio of the medians: the first over the second. One side alone is repeated.

            A Markdown row has for each of --columns the sides' medians, and the ratio behind the first.
            """,
        options: own + [side] + RunOptions.all,
        run: { words in
            let (common, sides) = try Self.split(words)
            let arguments = try Arguments.parse(common, options: own + RunOptions.all)
            var runs: [LoadRun] = []
            for side in sides {
                // A side can't change how the runs are made or printed.
                _ = try Arguments.parse(side.words, options: RunOptions.all)
                runs.append(
                    try RunOptions.run(Arguments.parse(common + side.words, options: own + RunOptions.all)))
            }
            let comparison = try Self.compare(sides.map(\.name), runs, rounds: arguments[Self.runs])
            if let name = arguments.ifGiven(row) {
                try Output.line(comparison.row(name, arguments[columns]))
            } else if arguments[.json] {
                try Output.json { $0.comparison(comparison) }
            } else {
                try Output.line(comparison.text)
            }
            return comparison.isRight ? .success : .failure
        }
    )

    private static func compare(_ names: [String], _ runs: [LoadRun], rounds: Int) throws -> Comparison {
        var comparison = Comparison(sides: names.map { Comparison.Side(name: $0) })
        for round in 0..<rounds {
            for side in Comparison.order(round: round, sideCount: runs.count) {
                Output.progress("round \(round + 1) of \(rounds): \(names[side])")
                let outcome = try runs[side].run()
                outcome.tellFaults(of: names[side])
                comparison.sides[side].outcomes.append(outcome)
            }
        }
        Output.progress("")
        return comparison
    }

    /// The words before the first `--side NAME`, and each side's.
    static func split(
        _ words: [String]
    ) throws(UsageError) -> (common: [String], sides: [(name: String, words: [String])]) {
        var common: [String] = []
        var sides: [(name: String, words: [String])] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--side" {
                guard let name = rest.popFirst(), !name.hasPrefix("-") else {
                    throw UsageError(problems: ["--side needs a value: --side NAME"])
                }
                guard !sides.contains(where: { $0.name == name }) else {
                    throw UsageError(problems: ["--side \(name) is given twice"])
                }
                sides.append((name, []))
            } else if sides.isEmpty {
                common.append(word)
            } else {
                sides[sides.count - 1].words.append(word)
            }
        }
        guard !sides.isEmpty else { throw UsageError(problems: ["--side is missing"]) }
        return (common, sides)
    }
}
