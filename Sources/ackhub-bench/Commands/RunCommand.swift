import CommandLineOptions

extension BenchCommand {
    /// `ackhub-bench run`: one run.
    static let runOnce = BenchCommand(
        name: "run",
        summary: "load a server once and say what it did",
        usage: "--url URL (--keys-file PATH | --targets PATH) [OPTION]…",
        discussion: """
            Mints links for a launch of its own (or takes paths from a file), hits each once, and prints the rate, the
            latencies and the CPU time per request of the processes named and of itself. With --rate the requests go out
            at their times whatever the server does, and a request that had to wait for a connection counts with its
            wait; latencies of a closed loop say only how long a busy server takes.

            With --check-database it waits until the hub has loaded everything, then compares the launch's rows and
            counters with what was answered 2xx. Exit status 1 if a request was not answered 2xx or an event is missing
            or too many.
            """,
        options: RunOptions.all + [.json],
        run: { words in
            let arguments = try Arguments.parse(words, options: RunOptions.all + [.json])
            let outcome = try RunOptions.run(arguments).run()
            try arguments[.json] ? Output.json { $0.outcome(outcome) } : Output.line(outcome.text)
            outcome.tellFaults()
            return outcome.isRight ? .success : .failure
        }
    )
}

extension RunOutcome {
    /// Says on stderr what was not right.
    func tellFaults(of side: String? = nil) {
        let prefix = side.map { "\($0): " } ?? ""
        if !self.tally.isFlawless { Output.diagnostic(prefix + "not every request got a 2xx: \(self.tally.summary)") }
        for difference in self.check?.differences ?? [] { Output.diagnostic(prefix + "difference: \(difference)") }
    }
}
