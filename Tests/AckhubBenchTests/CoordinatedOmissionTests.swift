import TestSupport
import Testing

@testable import ackhub_bench

/// A server stands still once, for a second. Who waits for answers before asking again sees one slow answer; those that
/// were due meanwhile must not be left out.
@Suite(.blocking)
struct CoordinatedOmissionTests {
    private static func measure(connections: Int, rate: Int?) throws -> RunOutcome {
        let server = try BenchServer(stallAt: 50, stallMicroseconds: 1_000_000)
        return try LoadRun.measure(server.url(), count: 300) {
            $0.connections = connections
            $0.rate = rate
        }
    }

    /// 300 requests at 100 a second: the second holds up 100 of them, the first for a second, the last hardly.
    @Test(arguments: [1, 4]) func openLoopShowsEveryRequestThatWasHeldUp(connections: Int) throws {
        let outcome = try Self.measure(connections: connections, rate: 100)
        #expect(outcome.isRight && outcome.tally.latency.count == 300, "\(outcome.tally.summary)")
        let latency = outcome.tally.latency
        #expect(latency.max >= 990_000_000)
        // A share of 89 in 300 waited for 100 ms or longer, of 49 for 500 ms or longer.
        #expect(latency.percentile(100 * (1 - 89.0 / 300))! >= 100_000_000)
        #expect(latency.percentile(100 * (1 - 49.0 / 300))! >= 500_000_000)
        // They were late because no connection was free.
        #expect(outcome.tally.lateness.percentile(100 * (1 - 80.0 / 300))! >= 100_000_000)
    }

    /// The same stall in a closed loop: one request in 300, so no percentile up to the 99th knows of it.
    @Test func closedLoopShowsOne() throws {
        let outcome = try Self.measure(connections: 1, rate: nil)
        #expect(outcome.isRight && outcome.tally.latency.max >= 990_000_000)
        #expect(outcome.tally.latency.percentile(99)! < 900_000_000)
    }
}
