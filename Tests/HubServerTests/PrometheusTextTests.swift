import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct PrometheusTextTests {
    /// Labels are escaped, histograms cumulated, odd numbers written as Prometheus reads them.
    @Test func writesWhatAStrictReaderReads() throws {
        var text = PrometheusText()
        text.counter("a_total", "Some count.", 9_007_199_254_740_992)
        text.begin("b", .gauge, "A gauge.")
        text.sample(1.5e-7, [("name", "quote \" backslash \\ line\nend"), ("other", "")])
        text.sample(.infinity, [("name", "x")])
        text.begin("c_seconds", .histogram, "A histogram.")
        text.histogram([1, 0, 2], bounds: [0.00025, 1], sum: 7.25)
        let read = try Exposition(String(decoding: text.bytes, as: UTF8.self))
        #expect(read["a_total"] == 9_007_199_254_740_992)
        #expect(read["b{name=\"quote \\\" backslash \\\\ line\\nend\",other=\"\"}"] == 1.5e-7)
        #expect(read["c_seconds_bucket{le=\"0.00025\"}"] == 1)
        #expect(read["c_seconds_bucket{le=\"1.0\"}"] == 1)
        #expect(read["c_seconds_count"] == 3)
        #expect(read["c_seconds_sum"] == 7.25)
    }

    /// The process's own figures are there and plausible.
    @Test func tellsTheProcess() throws {
        let metrics = ProcessMetrics()
        #expect(try #require(metrics.residentBytes) > 1 << 20)
        #expect(try #require(metrics.openDescriptors) >= 3)
        #expect(try #require(metrics.cpuSeconds) > 0)
        let now = Double(Log.systemTime()) / 1e9
        #expect((now - 86_400...now).contains(try #require(metrics.startTime)))
    }
}
