import CommandLineOptions
import EventStore
import HubServer
import MessageIDs

extension Command {
    /// `ackhub simulate`: plays a launch's devices and checks the reports.
    static let simulate = Command(
        name: "simulate",
        summary: "play a launch's devices against a running hub and check its reports",
        discussion: """
            Mints a launch over the API and plays what its devices do, drawn from the seed: acks and opens after
            log-normal delays squeezed into --seconds, repeats and bursts, opens before acks, answers that get lost,
            damaged and repaired links, HEADs, prefetches, bots. A hit is repeated until the hub takes it, so a hub or
            a database that is down for less than --patience-seconds changes nothing. Then it compares the launch's
            and the campaign's report and single messages with what it did, figure by figure. Exit status 1 on any
            difference. Hits whose answer nobody saw (a killed hub) are looked up first, so the comparison is exact.

            It speaks plain HTTP: point --url at a listener without TLS. Its messages and events stay in the database,
            under their own launch.
            """,
        options: SimulateOptions.all,
        optionalSettings: ["public-url"],
        run: { invocation in
            let outcome = try Simulation(try SimulateOptions(invocation)).run()
            try invocation.arguments[.json] ? Output.json { $0.outcome(outcome) } : Output.line(outcome.text)
            for difference in outcome.differences { Output.diagnostic("difference: \(difference)") }
            return outcome.differences.isEmpty ? .success : .failure
        }
    )
}

/// The options of `ackhub simulate`, read.
struct SimulateOptions: Sendable {
    private static let token = APITarget.token("the scopes mint and report")
    private static let account = Option("account", .account, help: "refuse to run if the token is another account's")
    private static let campaign = Option("campaign", .id(), .defaults(to: 1, text: "1"), help: "whose launch it is")
    private static let messages = Option(
        "messages", .count(in: 1...10_000_000), .defaults(to: 20_000, text: "20000"), help: "how many pushes")
    private static let seed = Option(
        "seed", .seed, .defaults(to: 1, text: "1"), help: "the same seed plays the same launch")
    private static let seconds = Option(
        "seconds", .count(in: 1...86_400), .defaults(to: 20, text: "20"), help: "how long the devices play")
    private static let providers = Option(
        "provider", .providers, .defaults(to: defaultProviders, text: "four of them"),
        help: "the delivery services, mixed evenly")
    private static let settle = Option(
        "settle-seconds", .count(in: 0...3_600), .defaults(to: 30, text: "30"),
        help: "how long the reports may lag behind the last hit")
    private static let patience = Option(
        "patience-seconds", .count(in: 1...3_600), .defaults(to: 60, text: "60"),
        help: "how long the hub may be away at a stretch")

    private static let defaultProviders = [1, 3, 6, 8].map { Provider(rawValue: $0) }

    static let all: [any CommandOption] = [
        APITarget.url, token, account, campaign, messages, seed, seconds, providers, settle, patience, .json,
    ]

    let target: APITarget
    let account: Int64?
    let campaign: Int64
    let messages: Int
    let seed: UInt64
    let seconds: Int
    let providers: [Provider]
    let settleSeconds: Int
    let patienceSeconds: Int

    init(_ invocation: Invocation) throws(UsageError) {
        let arguments = invocation.arguments
        self.target = try APITarget(invocation)
        self.account = arguments.ifGiven(Self.account)
        self.campaign = arguments[Self.campaign]
        self.messages = arguments[Self.messages]
        self.seed = arguments[Self.seed]
        self.seconds = arguments[Self.seconds]
        self.providers = arguments[Self.providers]
        self.settleSeconds = arguments[Self.settle]
        self.patienceSeconds = arguments[Self.patience]
    }
}
