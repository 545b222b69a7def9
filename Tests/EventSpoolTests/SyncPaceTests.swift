import Testing

@testable import EventSpool

@Suite struct SyncPaceTests {
    private static let interval = SyncPace.intervalNanoseconds

    @Test func aRecordAfterALongPauseIsSyncedAtOnce() {
        var pace = SyncPace()
        for second in 1...100 {
            #expect(pace.recordsWanted == 1)
            pace.begin(records: 1, at: UInt64(second) * 1_000_000_000)
        }
        #expect(pace.recordsWanted == 1)
    }

    @Test func theFirstRecordWaitsForNobody() { #expect(SyncPace().recordsWanted == 1) }

    @Test func nobodyWaitsLongerThanAnInterval() {
        var pace = SyncPace()
        for (records, now) in [(1, 5), (700, 6), (1, 7_000_000)] as [(Int, UInt64)] {
            pace.begin(records: records, at: now)
            #expect(pace.deadline == now + Self.interval)
        }
    }

    @Test func moreIsAskedForAfterSixteenSyncsInARow() {
        var pace = SyncPace()
        pace.begin(records: 5, at: 10 * Self.interval)
        for step in 1..<16 {
            pace.begin(records: 5, at: 10 * Self.interval + UInt64(step) * 1_000)
            #expect(pace.recordsWanted == 5)
        }
        pace.begin(records: 6, at: 10 * Self.interval + 16_000)
        #expect(pace.recordsWanted == 12)
    }

    /// Also when the wait was ended by bytes or by the spool's end.
    @Test(arguments: [1, Self.interval - 1, Self.interval, 5 * Self.interval])
    func whoFindsFewerWantsAsManyAsCame(after pause: UInt64) {
        var pace = SyncPace()
        pace.begin(records: 40, at: 7 * Self.interval)
        pace.begin(records: 9, at: 7 * Self.interval + pause)
        #expect(pace.recordsWanted == 9)
    }

    @Test func neverWantsMoreThanAMillion() {
        var pace = SyncPace()
        for step in 0..<100_000 { pace.begin(records: .max / 4, at: UInt64(step)) }
        #expect(pace.recordsWanted == 1 << 20)
    }

    /// What a second of evenly spaced records costs, and how long they wait for their sync to begin. A sync takes 150 µs.
    private static func second(ofRecordsAt rate: Int) -> (syncs: Int, wait: (mean: Double, longest: UInt64)) {
        let gap = 1_000_000_000 / UInt64(rate)
        var pace = SyncPace()
        var free: UInt64 = 0
        var next = 1
        var syncs = 0
        var waits: UInt64 = 0
        var longest: UInt64 = 0
        while next <= rate {
            let first = UInt64(next) * gap
            let enough = UInt64(next + pace.recordsWanted - 1) * gap
            let begin = max(free, first, min(enough, max(first, pace.deadline)))
            let last = max(next, min(rate, Int(begin / gap)))
            for record in next...last { waits += begin - min(begin, UInt64(record) * gap) }
            longest = max(longest, begin - first)
            pace.begin(records: last - next + 1, at: begin)
            syncs += 1
            next = last + 1
            free = begin + 150_000
        }
        return (syncs, (Double(waits) / Double(rate), longest))
    }

    @Test(arguments: [1, 100, 900]) func whileRecordsAreFewEachIsSyncedAtOnce(rate: Int) {
        let (syncs, wait) = Self.second(ofRecordsAt: rate)
        #expect(syncs == rate)
        #expect(wait.longest == 0)
    }

    @Test(arguments: [5_000, 20_000, 100_000, 500_000]) func manyRecordsShareAboutAThousandSyncs(rate: Int) {
        let (syncs, wait) = Self.second(ofRecordsAt: rate)
        #expect((900...1_300).contains(syncs), "\(syncs) syncs")
        #expect(wait.longest <= Self.interval)
        #expect(wait.mean <= 600_000)
    }

    /// Callers that send the next record when the last one is durable wait for no others, but seldom.
    @Test(arguments: [1, 8, 64]) func callersWhoWaitAreSeldomHeldUp(callers: Int) {
        var pace = SyncPace()
        var now: UInt64 = 0
        var pauses = 0
        for _ in 0..<20_000 {
            now += 200_000
            if pace.recordsWanted > callers {
                now = max(now, pace.deadline)
                pauses += 1
            }
            pace.begin(records: callers, at: now)
        }
        #expect(pauses <= 30, "\(pauses) pauses")
        // A crowd that comes later is noticed: so many every 0.2 ms, for whose sync it is waited a millisecond.
        for _ in 0..<1_200 {
            let steps = min(5, (pace.recordsWanted + 100 * callers - 1) / (100 * callers))
            now += UInt64(steps) * 200_000
            pace.begin(records: 100 * callers * steps, at: now)
        }
        #expect(pace.recordsWanted >= 400 * callers)
    }
}
