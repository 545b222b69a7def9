import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct ClaimedTimesTests {
    /// Repeated, neighbouring and joining times.
    @Test func movesToTheNextFree() {
        var times = ClaimedTimes()
        let given = ([5, 5, 5, 9, 8, 8, 4, 4] as [UInt64]).map { times.claim($0) }
        #expect(given == [5, 6, 7, 9, 8, 10, 4, 11])
        #expect(times.ranges == [4...11])
    }

    /// At the end of time the last free nanosecond before is taken.
    @Test func endsOfTime() {
        var times = ClaimedTimes()
        let last = UInt64.max
        let atTheEnd = [last, last, last, last - 1].map { times.claim($0) }
        #expect(atTheEnd == [last, last - 1, last - 2, last - 3])
        let atTheStart = [UInt64(0), 0].map { times.claim($0) }
        #expect(atTheStart == [0, 1])
    }

    /// Whatever is asked for, nothing is given twice and memory is bounded: uniform, clustered, growing, shrinking times.
    @Test(arguments: 0..<4) func neverGivesATimeTwice(_ pattern: Int) {
        var random = SeededRandom(seed: UInt64(pattern))
        var times = ClaimedTimes()
        var given: Set<UInt64> = []
        for round in 0..<UInt64(8_000) {
            let wanted: UInt64 =
                switch pattern {
                case 0: random.next()
                case 1: random.next() % 20 * 1_000_000_000 + random.next() % 50
                case 2: 1_790_000_000_000_000_000 + round * 1_000
                default: 1_790_000_000_000_000_000 - round * 1_000
                }
            let time = times.claim(wanted)
            if !given.insert(time).inserted { Issue.record("\(time) given twice") }
            if times.ranges.count > ClaimedTimes.rangesMax { Issue.record("unbounded") }
            for index in times.ranges.indices.dropFirst() where round % 1_000 == 0 {
                #expect(times.ranges[index - 1].upperBound + 1 < times.ranges[index].lowerBound)
            }
        }
        #expect(given.count == 8_000)
    }

    /// Growing times, and any times while there are few, are given as asked.
    @Test func usualTimesAreNotMoved() {
        var times = ClaimedTimes()
        for round in 0..<UInt64(5_000) { #expect(times.claim(1_000_000 + round * 777) == 1_000_000 + round * 777) }
        var few = ClaimedTimes()
        var random = SeededRandom(seed: 9)
        for _ in 0..<ClaimedTimes.rangesMax - 1 {
            let wanted = random.next()
            #expect(few.claim(wanted) == wanted)
        }
    }
}
