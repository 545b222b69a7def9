import EventStore
import HubLinks
import MessageIDs
import TestSupport
import Testing

@testable import ackhub

@Suite(.blocking)
struct SimulationPlanTests {
    private static let providers = [Provider(rawValue: 1), Provider(rawValue: 3)]

    private func plan(_ count: Int = 4_000, seed: UInt64 = 1) -> SimulationPlan {
        SimulationPlan(messages: count, seconds: 10, providers: Self.providers, seed: seed)
    }

    /// The published first outputs of SplitMix64 for seed 1234567.
    @Test func drawsSplitMix64() {
        var random = SimulationRandom(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    /// Half of log-normal delays lie below the median, and all are positive.
    @Test func drawsLogNormalDelays() {
        var random = SimulationRandom(seed: 9)
        let delays = (0..<10_000).map { _ in random.logNormal(median: 3, sigma: 1.5) }
        #expect(delays.allSatisfy { $0 > 0 && $0.isFinite })
        #expect((4_800...5_200).contains(delays.count { $0 < 3 }))
    }

    /// A seed gives one plan, another seed another.
    @Test func repeatsItselfForASeed() {
        #expect(self.plan() == self.plan())
        #expect(self.plan(seed: 2) != self.plan())
    }

    /// Every message is minted once, with both forms of request; few messages are enough for it.
    @Test(arguments: [1, 7, 500, 4_321])
    func mintsEveryMessageOnce(count: Int) {
        let plan = self.plan(count)
        #expect(plan.messages.count == count)
        #expect(plan.batches.flatMap(\.messages) == Array(0..<count))
        #expect(Set(plan.batches.map(\.isStreamed)).count == min(2, plan.batches.count))
        for batch in plan.batches where !batch.isStreamed {
            let shared = plan.messages[batch.messages].map { "\($0.provider) \($0.style) \($0.privacy) \($0.isTest)" }
            #expect(Set(shared).count == 1)
        }
    }

    /// Hits come in order, within the run's time, and of every sort that the plan promises.
    @Test func playsEverySortOfHit() {
        let plan = self.plan()
        #expect(zip(plan.hits, plan.hits.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(plan.hits.allSatisfy { (0...10).contains($0.at) })
        let share = { (condition: (PlannedHit) -> Bool) in Double(plan.hits.count(where: condition)) / 4_000 }
        #expect((0.85...1.15).contains(share { $0.kind == .ack && $0.isEvent }))
        #expect((0.20...0.60).contains(share { $0.kind == .open && $0.isEvent && $0.caller == .device }))
        for sort in [
            { $0.answer == .lost }, { $0.answer == .abandoned }, { $0.request == .head }, { $0.request == .options },
            { $0.request == .post }, { $0.request == .image }, { $0.caller == .imageProxy },
            { $0.caller.eventClass == .bot }, { $0.caller.eventClass == .prefetch },
        ] as [(PlannedHit) -> Bool] {
            #expect(plan.hits.contains(where: sort))
        }
        for repair in LinkRepair.allCases { #expect(plan.hits.contains { $0.request == .repaired(repair) }) }
        for fault in LinkFault.allCases { #expect(plan.hits.contains { $0.request == .damaged(fault) }) }
    }

    /// Some opens come before their message's first ack, some messages are opened and never acked.
    @Test func reordersAndLosesAcks() {
        let plan = self.plan()
        var firstAck: [Int: Double] = [:]
        var firstOpen: [Int: Double] = [:]
        for hit in plan.hits where hit.isEvent && hit.caller.eventClass.countsOpens {
            if hit.kind == .ack && firstAck[hit.message] == nil { firstAck[hit.message] = hit.at }
            if hit.kind == .open && firstOpen[hit.message] == nil { firstOpen[hit.message] = hit.at }
        }
        #expect(firstOpen.contains { message, open in firstAck[message].map { $0 > open } ?? false })
        #expect(firstOpen.contains { message, _ in firstAck[message] == nil })
    }
}
