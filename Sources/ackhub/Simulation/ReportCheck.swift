import EventStore
import Glibc
import MessageIDs
import StrictJSON

/// Compares every report of a hub with what the simulation did.
struct ReportCheck {
    let client: APIClient
    let launch: LaunchID
    let plan: SimulationPlan
    let links: [MintedMessage]
    let settleSeconds: Int
    /// As the play left it, with hits that nobody saw the answer of.
    private let played: Truth
    /// The same with those settled by what is stored.
    private var truth: Truth

    private(set) var totals: ComparedSection?
    private(set) var others: [ComparedSection] = []
    /// What is wrong with single messages and lists.
    private(set) var faults: [String] = []

    private static let sampleCount = 50
    private static let pauseMilliseconds: UInt32 = 100

    init(
        _ truth: Truth, client: APIClient, launch: LaunchID, plan: SimulationPlan, links: [MintedMessage],
        settleSeconds: Int
    ) {
        self.played = truth
        self.truth = truth
        self.client = client
        self.launch = launch
        self.plan = plan
        self.links = links
        self.settleSeconds = settleSeconds
    }

    var differences: [String] {
        (self.totals.map { [$0] } ?? []).flatMap(\.differences) + self.others.flatMap(\.differences) + self.faults
    }

    /// Asks until all is as it must be, or the time is over.
    mutating func run(sample random: SimulationRandom) throws {
        let deadline = WallClock.monotonic() + UInt64(self.settleSeconds) * 1_000_000_000
        repeat {
            self.faults = []
            try self.settleUnseen()
            try self.compareLaunch()
            if self.differences.isEmpty {
                try self.compareCampaigns()
                try self.compareSample(random)
            }
            if self.differences.isEmpty { return }
            usleep(Self.pauseMilliseconds * 1_000)
        } while WallClock.monotonic() < deadline
    }

    /// Asks the hub for the events of every message with a hit whose answer nobody saw: then all totals are known exactly.
    ///
    /// Asked anew each time: while the loader is behind, a hit that was seen may still be missing instead.
    private mutating func settleUnseen() throws {
        self.truth = self.played
        for (message, cells) in Dictionary(grouping: self.played.unseen.keys, by: \.message) {
            guard let events = try self.events(of: message) else { continue }
            for cell in cells {
                let count = events[cell, default: 0]
                // Below the bounds it may only be late; the launch's report waits for it.
                if !self.truth.settle(cell, at: count), count > self.truth.bounds(cell).high {
                    self.faults.append(
                        "message \(self.links[message].uid): \(count) events, \(self.truth.bounds(cell).text) were sent"
                    )
                }
            }
        }
    }

    private mutating func compareLaunch() throws {
        let report = try self.client.getJSON("/v1/reports/launches/\(self.launch.text)")
        self.totals = ComparedSection("launch", self.truth.row(includingTests: false), reported: report["totals"])
        self.others = self.parts(of: report, includingTests: false)
        let tested = try self.client.getJSON("/v1/reports/launches/\(self.launch.text)?test=include")
        self.others.append(
            ComparedSection("with tests", self.truth.row(includingTests: true), reported: tested["totals"]))
    }

    private func parts(of report: JSONValue, includingTests: Bool) -> [ComparedSection] {
        let rows = report["by_provider"]?.items ?? []
        var sections: [ComparedSection] = []
        for provider in Set(self.plan.messages.map(\.provider)).sorted(by: { $0.rawValue < $1.rawValue }) {
            let row = rows.first { $0["provider"]?.text == provider.name }
            let expected = self.truth.row(includingTests: includingTests, provider: provider)
            sections.append(ComparedSection(provider.name, expected, reported: row))
        }
        sections.append(
            ComparedSection(
                classesOf: self.truth, includingTests: includingTests, reported: report["by_class"]?.items ?? []))
        return sections
    }

    /// The campaign list over the launch's own nanosecond must show the launch's figures.
    private mutating func compareCampaigns() throws {
        let from = UnixTime.text(nanoseconds: self.launch.launchedAt)
        let to = UnixTime.text(nanoseconds: self.launch.launchedAt + 1)
        let list = try self.client.getJSON("/v1/reports/campaigns?from=\(from)&to=\(to)")
        let row = list["items"]?.items?.first { $0["campaign_id"]?.text == String(self.launch.campaign) }
        guard let row else { return self.faults.append("the campaign is not in the list of campaigns") }
        self.others.append(ComparedSection("campaign", self.truth.row(includingTests: false), reported: row))
        if row["launches"]?.int64 != 1 { self.faults.append("the campaign has other than 1 launch at that time") }
    }

    /// Single messages, drawn by chance: fields and events.
    private mutating func compareSample(_ random: SimulationRandom) throws {
        var random = random
        for _ in 0..<min(Self.sampleCount, self.plan.messages.count) {
            let message = Int.random(in: self.plan.messages.indices, using: &random)
            guard let events = try self.events(of: message) else {
                self.faults.append("message \(self.links[message].uid): unknown")
                continue
            }
            for kind in EventKind.allCases {
                for eventClass in EventClass.allCases {
                    let cell = Truth.Cell(message: message, kind: kind, eventClass: eventClass)
                    let (count, bounds) = (events[cell, default: 0], self.truth.bounds(cell))
                    guard !bounds.contains(count) else { continue }
                    self.faults.append(
                        "message \(self.links[message].uid): \(bounds.text) \(kind) events of class \(eventClass.name) "
                            + "simulated, \(count) stored")
                }
            }
        }
    }

    /// A message's events by kind and class; nil when the hub knows no such message. Its fields are checked on the way.
    private mutating func events(of message: Int) throws -> [Truth.Cell: Int]? {
        let uid = self.links[message].uid
        let answer = try self.client.send("GET", "/v1/messages/\(uid)")
        guard answer.status == 200 else { return nil }
        let value = try JSONValue(parsing: answer.body.span.bytes)
        let planned = self.plan.messages[message]
        let isAnonymous = planned.privacy == .anonymous
        let fields: [(String, String)] = [
            ("launch_id", self.launch.text), ("provider", planned.provider.name),
            ("profile_id", isAnonymous ? "0" : planned.profile.text),
            ("subscription_id", isAnonymous ? "0" : String(planned.subscription)),
        ]
        for (name, expected) in fields where value[name]?.text != expected {
            self.faults.append("message \(uid): \(name) is not \(expected)")
        }
        var counts: [Truth.Cell: Int] = [:]
        for event in value["events"]?.items ?? [] {
            let eventClass = EventClass.allCases.first { $0.name == event["class"]?.text }
            let kind: EventKind = event["kind"]?.text == "ack" ? .ack : .open
            guard let eventClass else { continue }
            counts[Truth.Cell(message: message, kind: kind, eventClass: eventClass), default: 0] += 1
        }
        return counts
    }
}
