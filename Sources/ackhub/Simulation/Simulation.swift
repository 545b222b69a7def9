import CommandLineOptions
import Glibc
import MessageIDs

/// One run of `ackhub simulate`: mint, play, settle, compare.
struct Simulation {
    private let options: SimulateOptions

    private static let progressIntervalNanoseconds: UInt64 = 200_000_000

    init(_ options: SimulateOptions) { self.options = options }

    /// - Throws: when the hub refuses, or is away for longer than the patience.
    func run() throws -> SimulationOutcome {
        let options = self.options
        let started = WallClock.monotonic()
        let plan = SimulationPlan(
            messages: options.messages, seconds: Double(options.seconds), providers: options.providers,
            seed: options.seed)
        let target = try ResolvedAddress(options.target.address)
        let client = APIClient(
            options.target.address, resolved: target, token: options.target.token,
            patienceSeconds: options.patienceSeconds, program: "ackhub-simulate")
        defer { Output.progress("") }
        let launchedAt = WallClock.now()
        if let account = options.account { try Self.require(account, options.campaign, launchedAt, client) }
        let minter = LaunchMinter(client: client, campaign: options.campaign, launchedAt: launchedAt)
        let (launch, links) = try minter.mint(plan) { Output.progress("minted \($0) of \(options.messages)") }
        let player = DevicePlayer(
            plan, links: links, authority: options.target.address.authority, target: target, seed: options.seed,
            patienceSeconds: options.patienceSeconds)
        var shown: UInt64 = 0
        try player.play { record, remaining in
            let now = WallClock.monotonic()
            guard now >= shown + Self.progressIntervalNanoseconds else { return }
            shown = now
            Output.progress(
                "\((now - started) / 1_000_000_000) s: \(record.answered) hits answered, \(remaining) to come, "
                    + "\(record.failed + record.unavailable) to be repeated")
        }
        Output.progress("comparing")
        var check = ReportCheck(
            player.truth, client: client, launch: launch, plan: plan, links: links,
            settleSeconds: options.settleSeconds)
        try check.run(sample: SimulationRandom(seed: options.seed &+ 1))
        return SimulationOutcome(
            seed: options.seed, launch: launch, messageCount: options.messages,
            seconds: Double(WallClock.monotonic() - started) / 1e9, record: player.record,
            requestsRepeated: client.retries,
            sections: (check.totals.map { [$0] } ?? []) + check.others,
            differences: player.record.faults + Self.unlisted(player.record) + check.differences)
    }

    /// A hub explains an id to its own account only.
    private static func require(
        _ account: Int64, _ campaign: Int64, _ launchedAt: UInt64, _ client: APIClient
    ) throws {
        let launch = LaunchID(account: account, campaign: campaign, launchedAt: launchedAt)
        let answer = try client.send("GET", "/v1/decode?id=\(launch.text)")
        if answer.status == 403 { throw CommandError("the token is not of account \(account): \(answer.summary)") }
        guard answer.status == 200 else { throw CommandError("GET /v1/decode: \(answer.summary)") }
    }

    private static func unlisted(_ record: PlayRecord) -> [String] {
        let rest = record.faultCount - record.faults.count
        return rest > 0 ? ["and \(rest) more wrong answers"] : []
    }
}
