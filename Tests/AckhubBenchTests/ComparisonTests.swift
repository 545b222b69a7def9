import CommandLineOptions
import Testing

@testable import ackhub_bench

@Suite
struct ComparisonTests {
    private static func outcome(answers: Int, cpu: [UInt64], drain: Double? = nil) -> RunOutcome {
        var tally = LoadTally()
        tally.answersMeasured = answers
        tally.statuses[204] = answers
        tally.latency.record(UInt64(answers) * 1_000)
        var outcome = RunOutcome(
            plan: LoadPlan(url: LoadURL(text: "http://127.0.0.1:1")!), processes: ["hub", "postgres", "ackhub-bench"],
            tally: tally, measuredSeconds: 2, cpuMeasured: cpu)
        outcome.cpuOfWhole = [400, 600, 0]
        if let drain { outcome.check = StoreCheck.Outcome(drainSeconds: drain, events: 200) }
        return outcome
    }

    /// The median is the middle, or the mean of the two in the middle.
    @Test func findsTheSpread() throws {
        #expect(Spread([]) == nil)
        let odd = try #require(Spread([3, 1, 2]))
        #expect(odd.median == 2 && odd.least == 1 && odd.greatest == 3)
        #expect(Spread([4, 1, 2, 3])?.median == 2.5)
    }

    /// Each figure of a run; those that were not looked for are nil, not 0.
    @Test func findsTheFigures() throws {
        let plain = Self.outcome(answers: 100, cpu: [300, 200, 50])
        #expect(Figure.rate.value(plain) == 50)
        #expect(Figure.cpu.value(plain) == 5)
        #expect(Figure.ownCPU.value(plain) == 0.5)
        #expect(Figure.p99.value(plain) == 100)
        #expect(Figure.answered.value(plain) == 100 && Figure.repeats.value(plain) == 0)
        #expect(Figure.drain.value(plain) == nil)
        var unsettled = plain
        unsettled.cpuOfWhole = nil
        #expect(Figure.eventCPU.value(unsettled) == nil)
        // Nobody counted what is stored: all that was answered.
        #expect(Figure.eventCPU.value(plain) == 10)
        let checked = Self.outcome(answers: 100, cpu: [300, 200, 50], drain: 0.5)
        #expect(Figure.eventCPU.value(checked) == 5 && Figure.drain.value(checked) == 0.5)
    }

    /// A side's order in the rounds cancels a drift.
    @Test func goesThereAndBack() {
        #expect((0..<4).map { Comparison.order(round: $0, sideCount: 2) } == [[0, 1], [1, 0], [0, 1], [1, 0]])
        #expect(Comparison.order(round: 1, sideCount: 1) == [0])
    }

    /// Medians and their ratio, in the table's form.
    @Test func writesARow() {
        let hub = [100, 200, 400].map { Self.outcome(answers: $0, cpu: [1_000, 0, 50]) }
        let peer = [100, 100, 100].map { Self.outcome(answers: $0, cpu: [400, 0, 50]) }
        let comparison = Comparison(sides: [.init(name: "hub", outcomes: hub), .init(name: "peer", outcomes: peer)])
        #expect(comparison.row("a hit", [.cpu, .rate]) == "| a hit | 5.00 | 4.00 | 1.25 | 100 | 50 |")
        #expect(comparison.row("a hit", [.drain]) == "| a hit | – | – | – |")
        // What is counted is added up.
        #expect(comparison.row("a hit", [.answered]) == "| a hit | 700 | 300 | 2.00 |")
        let alone = Comparison(sides: [.init(name: "hub", outcomes: hub)])
        #expect(alone.row("a hit", [.cpu, .p50]) == "| a hit | 5.00 | 200 |")
    }

    @Test(
        arguments: [
            (0, 0, "0"), (12.5, 2, "12.50"), (0.005, 2, "0.01"), (0.004, 2, "0.00"), (-0.004, 2, "0.00"),
            (-1.5, 1, "-1.5"), (9.999, 2, "10.00"), (123_456.4, 0, "123456"), (1.05, 3, "1.050"),
        ] as [(Double, Int, String)])
    func writesNumbers(value: Double, digits: Int, text: String) { #expect(value.fixedPoint(digits) == text) }

    /// The words of a comparison: common ones, then each side's.
    @Test func splitsTheSides() throws {
        let (common, sides) = try BenchCommand.split(
            ["--runs", "3", "--side", "a", "--url", "x", "--side", "b", "--url", "y"])
        #expect(common == ["--runs", "3"])
        #expect(sides.map(\.name) == ["a", "b"] && sides.map(\.words) == [["--url", "x"], ["--url", "y"]])
    }

    @Test(arguments: [[], ["--runs", "3"], ["--side"], ["--side", "--url"], ["--side", "a", "--side", "a"]])
    func refusesSidesWithoutSense(words: [String]) {
        #expect(throws: UsageError.self) { try BenchCommand.split(words) }
    }
}
