import MessageIDs
import Testing

@testable import ackhub_bench

@Suite
struct FillPlanTests {
    /// No event comes twice but by `--repeats`, and each kind has its share of the messages.
    @Test(arguments: [
        (1, KindMix(acks: 1, opens: 0), 1, 0), (10_000, KindMix(acks: 1, opens: 0), 3, 10),
        (200_000, KindMix(acks: 3, opens: 1), 7, 5), (30_001, KindMix(acks: 1, opens: 3), 1, 100),
        (5_000, KindMix(acks: 0, opens: 1), 2, 1), (70_000, KindMix(acks: 1, opens: 1), 1, 0),
    ]) func hasEachEventOnce(events: Int, mix: KindMix, launches: Int, percent: Int) {
        let plan = FillPlan(events: events, mix: mix, launches: launches, repeatPercent: percent)
        var acked: Set<Int> = []
        var opened: Set<Int> = []
        var derived: Set<Int> = []
        for number in 0..<plan.eventCount {
            let event = plan.event(number)
            let isNew = event.kind == .ack ? acked.insert(event.message) : opened.insert(event.message)
            #expect(isNew.inserted && (0..<plan.messageCount).contains(event.message))
            if !event.isAcked { derived.insert(event.message) }
        }
        #expect(plan.eventCount >= events && plan.eventCount - events < mix.acks + mix.opens)
        #expect(acked.count == plan.rounds * mix.acks && opened.count == plan.rounds * mix.opens)
        #expect(derived == opened.subtracting(acked))
        #expect(acked.union(opened).count == plan.messageCount)
    }

    /// An open comes behind its message's ack wherever the fill has room for a delay.
    @Test func opensFollowTheirAcks() {
        let plan = FillPlan(events: 900_000, mix: KindMix(acks: 2, opens: 1), launches: 1, repeatPercent: 0)
        var acked: Set<Int> = []
        for number in 0..<plan.eventCount {
            let event = plan.event(number)
            if event.kind == .ack { acked.insert(event.message) } else { #expect(acked.contains(event.message)) }
        }
    }

    /// Each event's step comes once; so many of a hundred are repeated, after their first time.
    @Test(arguments: [0, 1, 33, 100]) func repeatsItsShare(percent: Int) {
        let plan = FillPlan(events: 1_000, mix: KindMix(acks: 1, opens: 0), launches: 1, repeatPercent: percent)
        var first: [Int] = []
        var again: Set<Int> = []
        for step in 0..<plan.stepCount {
            let numbers = plan.step(step)
            if let number = numbers.first { first.append(number) }
            if let number = numbers.again {
                #expect(first.contains(number) && again.insert(number).inserted)
            }
        }
        #expect(first == Array(0..<1_000) && again.count == 10 * percent)
        #expect(plan.recordCount == 1_000 + 10 * percent)
    }

    /// Messages differ, belong to a launch that is found by its time, and were sent before now.
    @Test func sendsDistinctMessages() {
        let now: UInt64 = 1_790_000_000_123_456_789
        let launches = FillLaunches(account: 9, count: 3, messages: 5_000, now: now)
        var keys: Set<UInt128> = []
        for number in 0..<5_000 {
            let message = launches.message(number)
            #expect(keys.insert(message.messageKey.value).inserted)
            #expect(message.account == 9 && message.sentAt < now && message.launchedAt < message.sentAt)
            #expect(launches.launch(launchedAt: message.launchedAt) == launches.launch(ofMessage: number))
        }
        #expect(launches.launch(launchedAt: launches.firstAt - 1) == nil)
        #expect(launches.launch(launchedAt: launches.firstAt + 1) == nil)
        #expect(launches.launch(launchedAt: launches.endAt) == nil)
    }
}
