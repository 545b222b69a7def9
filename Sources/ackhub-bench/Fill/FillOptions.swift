import CommandLineOptions

/// The options of a fill, and the fill that they ask for.
enum FillOptions {
    private static let database = Option(
        "database", .text("URL"), .required,
        help: "the hub's database, migrated, as libpq reads it; passwords\nbelong into PGPASSFILE")
    private static let events = Option(
        "events", .count(in: 1...FillPlan.eventsLimit), .required, help: "how many, beside the repeats")
    private static let launches = Option(
        "launches", .count(in: 1...FillPlan.launchesLimit), .defaults(to: 1, text: "1"),
        help: "launches that their messages belong to in turn")
    private static let kinds = Option(
        "kinds", .kinds, .defaults(to: KindMix(acks: 1, opens: 0), text: "ack"),
        help: "which events, with weights: ack:3,open:1")
    private static let repeats = Option(
        "repeats", .count("PERCENT", in: 0...100), .defaults(to: 0, text: "0"),
        help: "of a hundred events so many come a second time, later")
    private static let step = Option(
        "step", .count("EVENTS", in: 1_000...FillPlan.eventsLimit), .defaults(to: 1_000_000, text: "1000000"),
        help: "events between two lines")
    private static let hubs = Option(
        "hubs", .count(in: 1...FillRun.hubsLimit), .defaults(to: 1, text: "1"),
        help: "spools and loaders at work at once")
    private static let batch = Option(
        "batch", .count("RECORDS", in: 1...FillRun.batchRecordsLimit), .defaults(to: 20_000, text: "20000"),
        help: "records of a loader's transaction at most")
    private static let account = Option(
        "account", .id(from: 1), .defaults(to: 1, text: "1"), help: "the messages' account")
    private static let directory = Option(
        "directory", .text("PATH"), .defaults(to: "/var/tmp", text: "/var/tmp"), help: "where the spools are made")
    private static let processes = Option(
        "process", .processes,
        help: "processes whose CPU time is read, their children included;\nfor PostgreSQL the postmaster")

    static let all: [any CommandOption] = [
        database, events, launches, kinds, repeats, step, hubs, batch, account, directory, processes,
    ]

    static func run(_ arguments: Arguments) -> FillRun {
        FillRun(
            database: arguments[Self.database], events: arguments[Self.events], account: arguments[Self.account],
            mix: arguments[Self.kinds], launches: arguments[Self.launches], repeatPercent: arguments[Self.repeats],
            stepEvents: arguments[Self.step], hubs: arguments[Self.hubs], batchRecordsMax: arguments[Self.batch],
            directory: arguments[Self.directory], processes: arguments.ifGiven(Self.processes) ?? [])
    }
}
