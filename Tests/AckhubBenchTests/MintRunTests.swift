import HubLinks
import Testing

@testable import ackhub_bench

/// Minting in process, and how its cost is told.
@Suite
struct MintRunTests {
    /// It reads back what it minted, in both styles: a run that ends has taken its time.
    @Test(arguments: ["path", "crypto_post_events"]) func mints(style: String) throws {
        var run = MintRun(messages: 300)
        run.style = try #require(.init(rawValue: style))
        #expect(try run.run() > 0)
    }

    @Test func tellsTheMedian() {
        let report = CostReport(name: "message", microseconds: [2, 4, 5])
        #expect(report.row("minting") == "| minting | 250000 | 4.00 |")
        #expect(
            report.text == """
                messages a second of CPU: 250000 (200000 to 500000)
                CPU µs a message: 4.00 (2.00 to 5.00)
                """)
    }
}
