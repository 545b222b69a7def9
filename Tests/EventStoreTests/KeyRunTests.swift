import MessageIDs
import Testing

@testable import EventStore

@Suite struct KeyRunTests {
    private static let today = 20_000

    /// Keys of messages that were sent so many days after today; a fraction is a part of the day.
    private static func runs(_ days: [Double]) -> [Range<Int>] {
        PartitionDays.runs(
            of: days.map { MessageKey(UInt128((Double(self.today) + $0) * 86_400_000) << 80) },
            now: UInt64(self.today) * 86_400_000_000_000 + 5)
    }

    @Test func noKeysNoRuns() { #expect(Self.runs([]) == []) }

    @Test(arguments: [
        ([0, 0.1, 0.999], [0..<3]),
        ([-0.001, 0], [0..<1, 1..<2]),
        ([-60, -1, -0.5, 0, 0.2, 1], [0..<1, 1..<3, 3..<5, 5..<6]),
        ([-100, -99], [0..<1, 1..<2]),
        ([3, 4], [0..<1, 1..<2]),
        // Days that get no partition.
        ([-20_000, -5_000, -101, -100, 4.9, 5, 5_000], [0..<3, 3..<4, 4..<5, 5..<7]),
    ]) func eachDayIsARun(days: [Double], expected: [Range<Int>]) { #expect(Self.runs(days) == expected) }

    /// However many days a sender names.
    @Test func runsAreBounded() {
        #expect(Self.runs((-20_000..<20_000).map(Double.init)).count == 107)
    }
}
