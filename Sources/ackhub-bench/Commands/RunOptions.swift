import CommandLineOptions
import HubLinks

/// The options of one run, and the run that they ask for.
enum RunOptions {
    private static let url = Option("url", .loadURL, help: "where the server listens: http or https, address and port")
    private static let moreURLs = Option(
        "more-urls", .loadURLs,
        help: "further servers that take the same requests, such as hubs of\none deployment: the connections take turns"
    )
    private static let connections = Option(
        "connections", .count(in: 1...LoadPlan.connectionsLimit), .defaults(to: 64, text: "64"),
        help: "connections at once")
    private static let duration = Option(
        "duration", .count("SECONDS", in: 1...LoadPlan.durationSecondsLimit), .defaults(to: 10, text: "10"),
        help: "how long it is measured")
    private static let warmUp = Option(
        "warm-up", .count("SECONDS", in: 0...LoadPlan.warmUpSecondsLimit), .defaults(to: 2, text: "2"),
        help: "how long before that the load begins")
    private static let rate = Option(
        "rate", .count(in: 1...LoadPlan.rateLimit),
        help: "open loop: so many requests a second, each timed from when it was\ndue; without it the next request "
            + "follows an answer (closed loop)")
    private static let requests = Option(
        "requests", .count(in: 1...LoadPlan.requestsLimit), help: "end when so many were sent")
    private static let newConnections = Option<Bool>.flag("new-connections", help: "a connection for each request")
    private static let pipeline = Option(
        "pipeline", .count(in: 1...LoadPlan.pipelineLimit), .defaults(to: 1, text: "1, off"),
        help: "requests under way on a connection")
    private static let threads = Option(
        "threads", .count(in: 1...LoadPlan.threadsLimit), .defaults(to: 1, text: "1"),
        help: "threads that share connections, links and rate")
    private static let timeout = Option(
        "timeout", .count("SECONDS", in: 1...LoadPlan.timeoutSecondsLimit), .defaults(to: 5, text: "5"),
        help: "how long an answer may take")
    private static let insecure = Option<Bool>.flag("insecure", help: "believe any certificate of an https server")
    private static let allowRemote = Option<Bool>.flag(
        "allow-remote", help: "load a machine other than this one; be sure that it is yours")
    private static let processes = Option(
        "process", .processes,
        help: "processes whose CPU time is read, their children included;\nfor PostgreSQL the "
            + "postmaster")
    private static let tokenFile = Option(
        "token-file", .text("PATH"), help: "holds an API token, which goes with every request")

    private static let keysFile = Option("keys-file", .text("PATH"), help: "the hub's key ring, to mint links with")
    private static let publicURL = Option(
        "public-url", .text("URL"), help: "the hub's public URL, whose path the links have (default --url)")
    private static let style = Option("style", .linkStyle, .defaults(to: .path, text: "path"), help: "of the links")
    private static let account = Option(
        "account", .id(from: 1), .defaults(to: 1, text: "1"), help: "the links' account")
    private static let campaign = Option("campaign", .id(), .defaults(to: 1, text: "1"), help: "the links' campaign")
    private static let launches = Option(
        "launches", .count(in: 1...LaunchRange.countMax), .defaults(to: 1, text: "1"),
        help: "launches that the links' messages take turns in")
    private static let links = Option(
        "links", .count(in: 1...RequestList.countMax), .defaults(to: 500_000, text: "500000"),
        help: "links minted beforehand, some 250 bytes each; when they\nrun out they are hit again")
    private static let kinds = Option(
        "kinds", .kinds, .defaults(to: KindMix(acks: 1, opens: 1), text: "ack,open"),
        help: "which links are hit, with weights: ack:3,open:1")
    private static let targets = Option(
        "targets", .text("PATH"), help: "instead of links: a file of paths, one a line, for any server")
    private static let checkDatabase = Option(
        "check-database", .text("URL"),
        help: "afterwards compare with the hub's database, as libpq reads it;\npasswords belong into PGPASSFILE")
    private static let drain = Option(
        "drain-seconds", .count("SECONDS", in: 1...3_600), .defaults(to: 60, text: "60"),
        help: "how long the check waits for the backlog")
    private static let settle = Option(
        "settle-seconds", .count("SECONDS", in: 1...600),
        help: "without a check: how long after the last answer a server's CPU\ntime still counts as the events'")

    static let all: [any CommandOption] = [
        url, moreURLs, connections, duration, warmUp, rate, requests, newConnections, pipeline, threads, timeout,
        insecure,
        allowRemote, processes, tokenFile, keysFile, publicURL, style, account, campaign, launches, links, kinds,
        targets,
        checkDatabase, drain, settle,
    ]

    /// - Throws: every combination that makes no sense, at once.
    static func run(_ arguments: Arguments) throws(UsageError) -> LoadRun {
        var problems: [String] = []
        let url = arguments.ifGiven(Self.url)
        if url == nil { problems.append("--url is missing") }
        let moreURLs = arguments.ifGiven(Self.moreURLs) ?? []
        for url in [url].compactMap({ $0 }) + moreURLs where !url.isLoopback && !arguments[Self.allowRemote] {
            problems.append("\(url.host) is another machine: load it with --allow-remote if it is yours")
        }
        if let url, moreURLs.contains(where: { $0.isTLS != url.isTLS || $0.host != url.host }) {
            problems.append("--more-urls: scheme and host must be those of --url")
        }
        if arguments[Self.connections] <= moreURLs.count { problems.append("--more-urls: each needs a connection") }
        if arguments[Self.newConnections] && arguments[Self.pipeline] > 1 {
            problems.append("--pipeline needs connections that stay: not with --new-connections")
        }
        if arguments[Self.threads] > arguments[Self.connections] {
            problems.append("--threads: each needs a connection")
        }
        let source = Self.source(arguments, url, &problems)
        let database = arguments.ifGiven(Self.checkDatabase)
        if case .targets = source, database != nil {
            problems.append("--check-database needs links of its own: not with --targets")
        }
        let settleSeconds = arguments.ifGiven(Self.settle)
        if settleSeconds != nil && database != nil {
            problems.append("--settle-seconds: the check of --check-database says when all is done")
        }
        guard let url, let source, problems.isEmpty else { throw UsageError(problems: problems) }
        var run = LoadRun(plan: Self.plan(arguments, url), source: source)
        run.plan.moreURLs = moreURLs
        run.tokenFile = arguments.ifGiven(Self.tokenFile)
        run.settleSeconds = settleSeconds
        run.processes = arguments.ifGiven(Self.processes) ?? []
        run.database = database.map { LoadRun.Database(url: $0, patienceSeconds: arguments[Self.drain]) }
        return run
    }

    private static func plan(_ arguments: Arguments, _ url: LoadURL) -> LoadPlan {
        var plan = LoadPlan(url: url)
        plan.connections = arguments[Self.connections]
        plan.threads = arguments[Self.threads]
        plan.rate = arguments.ifGiven(Self.rate)
        plan.pipeline = arguments[Self.pipeline]
        plan.newConnections = arguments[Self.newConnections]
        plan.verifiesTLS = !arguments[Self.insecure]
        plan.durationNanoseconds = UInt64(arguments[Self.duration]) * 1_000_000_000
        plan.warmUpNanoseconds = UInt64(arguments[Self.warmUp]) * 1_000_000_000
        plan.timeoutNanoseconds = UInt64(arguments[Self.timeout]) * 1_000_000_000
        plan.requestsMax = arguments.ifGiven(Self.requests) ?? plan.requestsMax
        return plan
    }

    private static func source(
        _ arguments: Arguments, _ url: LoadURL?, _ problems: inout [String]
    ) -> LoadRun.Source? {
        switch (arguments.ifGiven(Self.keysFile), arguments.ifGiven(Self.targets)) {
        case (nil, nil), (.some, .some):
            problems.append("give either --keys-file, to mint links, or --targets, for paths from a file")
            return nil
        case (nil, let path?): return .targets(path: path)
        case (let keysFile?, nil):
            let scheme = url?.isTLS == true ? "https" : "http"
            let publicURL = arguments.ifGiven(Self.publicURL) ?? "\(scheme)://\(url?.authority ?? "localhost")"
            if let problem = LinkMinter.problem(withPublicURL: publicURL) {
                problems.append("--public-url: \(problem)")
            }
            let mix = arguments[Self.kinds]
            return .links(
                LoadRun.LinkSource(
                    keysFile: keysFile, publicURL: publicURL, style: arguments[Self.style],
                    account: arguments[Self.account], campaign: arguments[Self.campaign],
                    launches: arguments[Self.launches], count: arguments[Self.links], acks: mix.acks, opens: mix.opens))
        }
    }
}
