import TestSupport
import Testing

@testable import ackhub_bench

@Suite
struct LatencyHistogramTests {
    /// Nothing is known of nothing.
    @Test func isEmptyAtFirst() {
        let histogram = LatencyHistogram()
        #expect(histogram.percentile(50) == nil)
        #expect(histogram.max == 0 && histogram.count == 0)
    }

    /// Alone, every value comes back exactly, at the borders of buckets and of 64 bits too.
    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 257, 1_000_000, 1 << 40, (1 << 41) - 1, 1 << 63, .max - 1, .max])
    func findsASingleValue(value: UInt64) {
        var histogram = LatencyHistogram()
        histogram.record(value)
        for percent in [0.0, 50, 99.9, 100] { #expect(histogram.percentile(percent) == value) }
    }

    /// Below another, a value is told within its bucket: never too small, at most 1/128 too large.
    @Test func staysWithinTheErrorBound() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            let value = random.next() >> UInt64.random(in: 1..<64, using: &random)
            var histogram = LatencyHistogram()
            histogram.record(value)
            histogram.record(.max)
            let found = histogram.percentile(50)!
            #expect(found >= value && found - value <= value / 128, "\(value) became \(found)")
        }
    }

    /// Percentiles agree with the sorted values, whatever their shape.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func agreesWithSorting(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let width = UInt64.random(in: 4..<50, using: &random)
        let values = (0..<5_000).map { _ in random.next() >> (64 - UInt64.random(in: 1...width, using: &random)) }
        var histogram = LatencyHistogram()
        for value in values { histogram.record(value) }
        let sorted = values.sorted()
        #expect(histogram.max == sorted.last!)
        for percent in [0, 0.02, 1, 10, 50, 90, 99, 99.9, 99.99, 100] {
            let rank = max(1, Int((percent / 100 * Double(sorted.count)).rounded(.up)))
            let exact = sorted[rank - 1]
            let found = histogram.percentile(percent)!
            #expect(found >= exact && found - exact <= exact / 128, "p\(percent): \(exact) became \(found)")
        }
    }

    /// Two halves merged are the whole.
    @Test func mergesWithoutLoss() {
        var random = SeededRandom(seed: 3)
        var whole = LatencyHistogram()
        var halves = [LatencyHistogram(), LatencyHistogram()]
        for index in 0..<10_000 {
            let value = random.next() >> 20
            whole.record(value)
            halves[index % 2].record(value)
        }
        halves[0].merge(halves[1])
        #expect(halves[0] == whole)
        halves[0].merge(LatencyHistogram())
        #expect(halves[0] == whole)
    }
}
