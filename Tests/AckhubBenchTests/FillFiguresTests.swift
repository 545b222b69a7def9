import CommandLineOptions
import MessageIDs
import Testing

@testable import ackhub_bench

/// What a fill makes of its readings and counts, without a database.
@Suite
struct FillFiguresTests {
    /// Every figure is the difference of its readings over the events between them.
    @Test func dividesByTheEventsBetween() throws {
        var begin = FillReading()
        (begin.nanoseconds, begin.events, begin.batches) = (1_000_000_000, 100, 4)
        (begin.loaderNanoseconds, begin.writerNanoseconds, begin.cpuMicroseconds) = (5_000, 7_000, [10, 20])
        (begin.walBytes, begin.databaseBytes) = (1_000, 9_000)
        var end = begin
        (end.nanoseconds, end.events, end.batches) = (3_000_000_000, 300, 6)
        (end.loaderNanoseconds, end.writerNanoseconds, end.cpuMicroseconds) = (405_000, 207_000, [1_010, 620])
        (end.walBytes, end.databaseBytes) = (101_000, 8_000)
        let step = try #require(FillStep(from: begin, to: end))
        #expect(step.stored == 300 && step.events == 200 && step.eventsPerSecond == 100 && step.eventsPerBatch == 100)
        #expect(step.loader == 2 && step.writer == 1 && step.processes == [5, 3])
        #expect(step.walBytes == 500 && step.databaseBytes == -5)
        #expect(FillStep(from: end, to: end) == nil)
    }

    /// Repeats count as events, and not as messages; an open of a message that is never acked is derived.
    @Test func countsWhatWasPutIn() {
        var ledger = FillLedger(launches: 2)
        ledger.add(FillPlan.Event(kind: .ack, message: 0, isAcked: true), launch: 0, isRepeat: false)
        ledger.add(FillPlan.Event(kind: .ack, message: 0, isAcked: true), launch: 0, isRepeat: true)
        ledger.add(FillPlan.Event(kind: .open, message: 1, isAcked: false), launch: 1, isRepeat: false)
        ledger.add(FillPlan.Event(kind: .open, message: 1, isAcked: false), launch: 1, isRepeat: true)
        ledger.add(FillPlan.Event(kind: .open, message: 3, isAcked: true), launch: 1, isRepeat: false)
        let acks = FillLedger.Counts(acksTotal: 2, acked: 1)
        let opens = FillLedger.Counts(opensTotal: 3, opened: 2, derived: 1)
        #expect(ledger.launches == [acks, opens] && ledger.events == 5)
        ledger.merge(ledger)
        #expect(ledger.events == 10 && ledger.launches[1] == .init(opensTotal: 6, opened: 4, derived: 2))
    }

    /// A launch that differs in one counter is named, of many the first ten.
    @Test func namesWhatDiffers() {
        let put = Array(repeating: FillLedger.Counts(acksTotal: 5, acked: 4), count: 30)
        #expect(FillCheck.differences(put: put, stored: put) { "\($0)" } == [])
        var stored = put
        stored[3].derived = 1
        #expect(
            FillCheck.differences(put: put, stored: stored) { "L\($0)" } == [
                "launch L3: stored are acks 5, acked 4, opens 0, opened 0, derived 1; put in were acks 5, acked 4, "
                    + "opens 0, opened 0, derived 0"
            ])
        let none = Array(repeating: FillLedger.Counts(), count: 30)
        let many = FillCheck.differences(put: put, stored: none) { "L\($0)" }
        #expect(many.count == 11 && many.last == "and 20 more launches")
    }

    /// The options arrive where they belong, and what is out of bounds is refused.
    @Test func readsOptions() throws {
        func run(_ words: String) throws -> FillRun {
            FillOptions.run(
                try Arguments.parse(words.split(separator: " ").map(String.init), options: FillOptions.all))
        }
        let fill = try run(
            "--database d --events 7 --launches 3 --kinds ack:3,open:1 --repeats 5 --step 2000 --hubs 2 --batch 9 "
                + "--account 8 --directory /x --process postgres=12")
        #expect(fill.database == "d" && fill.events == 7 && fill.launches == 3 && fill.repeatPercent == 5)
        #expect(fill.mix == KindMix(acks: 3, opens: 1) && fill.stepEvents == 2_000 && fill.hubs == 2)
        #expect(fill.batchRecordsMax == 9 && fill.account == 8 && fill.directory == "/x")
        #expect(fill.processes == [ProcessTree(name: "postgres", pid: 12)])
        for wrong in [
            "--events 1", "--database d", "--database d --events 0", "--database d --events 1 --repeats 101",
            "--database d --events 1 --hubs 17", "--database d --events 1 --step 999",
            "--database d --events 1 --account 0",
            "--database d --events 1 --launches 0", "--database d --events 1 --kinds none",
        ] {
            #expect(throws: UsageError.self, "\(wrong)") { try run(wrong) }
        }
    }
}
