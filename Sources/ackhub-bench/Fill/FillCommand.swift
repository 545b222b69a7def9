import CommandLineOptions

extension BenchCommand {
    /// `ackhub-bench fill`: the store alone.
    static let fill = BenchCommand(
        name: "fill",
        summary: "load events into a hub's database and say what each costs",
        usage: "--database URL --events N [OPTION]…",
        discussion: """
            Writes records, as hits leave them, into a spool of its own, and loads them with the hub's loader as fast as
            it goes. The database must be migrated. The spool holds at most some 64 MB that are not loaded, and is
            removed at the end, also when SIGINT or SIGTERM ends it.

            Prints a line each --step events: events stored so far, events/s, events of a loader's transaction, and per
            event the CPU time of the loaders' threads, of the threads that make the records, and of the processes named
            and of itself; the bytes of write-ahead log, of the whole server, and those by which the database grew.
            Compares the counters of its launches with what it put in: exit status 1 if they differ. 'ackhub reconcile'
            recounts the raw rows.
            """,
        options: FillOptions.all + [.json],
        run: { words in
            let arguments = try Arguments.parse(words, options: FillOptions.all + [.json])
            let isJSON = arguments[.json]
            let outcome = try FillOptions.run(arguments).run { outcome, step in
                guard !isJSON else { return }
                if outcome.steps.count == 1 { try Output.line(outcome.header) }
                try Output.line(outcome.row(of: step))
            }
            try isJSON ? Output.json { $0.fill(outcome) } : Output.line(outcome.summary)
            for difference in outcome.differences { Output.diagnostic("difference: \(difference)") }
            return outcome.isRight ? .success : .failure
        }
    )
}
