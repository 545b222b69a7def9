import Testing

@testable import EventSpool

@Suite struct WaitingCallersTests {
    /// Callers finish in order, with the first refusal among their records; a result may end within a caller.
    @Test func finishesCallersInTheOrderOfTheirRecords() {
        var callers = WaitingCallers<Int>()
        for (number, records) in [3, 1, 2, 4].enumerated() { callers.append(records: records, number) }
        var finished: [WaitingCallers<Int>.Caller] = []
        callers.settle(2, nil, into: &finished)
        #expect(finished.isEmpty)
        callers.settle(3, .full, into: &finished)
        #expect(finished.map(\.answer) == [0, 1])
        #expect(finished.map(\.refusal) == [.full, .full])
        callers.settle(1, .closed, into: &finished)
        #expect(finished.last?.refusal == .full)
        callers.settle(4, nil, into: &finished)
        #expect(finished.map(\.answer) == [0, 1, 2, 3])
        #expect(finished.last?.refusal == nil)
        #expect(callers.places == 0)
    }

    /// Somebody always waits, for a hundred thousand calls: memory is bounded by who waits, not by who ever waited.
    @Test func letsAnsweredCallersGoWhileOthersWait() {
        var callers = WaitingCallers<Int>()
        var finished: [WaitingCallers<Int>.Caller] = []
        var mostPlaces = 0
        callers.append(records: 1, 0)
        for number in 1...100_000 {
            callers.append(records: 1, number)
            callers.settle(1, nil, into: &finished)
            mostPlaces = max(mostPlaces, callers.places)
        }
        #expect(finished.map(\.answer) == Array(0..<100_000))
        #expect(mostPlaces <= 4)
    }
}
