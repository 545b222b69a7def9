import EventStore
import MessageIDs
import StrictJSON
import TestSupport
import Testing

@testable import ackhub

@Suite(.blocking)
struct TruthTests {
    private let plan = SimulationPlan(messages: 40, seconds: 1, providers: [Provider(rawValue: 1)], seed: 3)

    private func hit(
        _ kind: EventKind, of message: Int, by caller: PlannedHit.Caller = .device,
        _ request: PlannedHit.Request = .get
    ) -> PlannedHit {
        PlannedHit(at: 0, message: message, kind: kind, request: request, caller: caller, answer: .read)
    }

    /// Opens by bots and prefetches, damaged links and HEADs make no message opened; a proxy's open does.
    @Test func countsAsDesignSection9Says() {
        var truth = Truth(self.plan)
        for hit in [
            self.hit(.ack, of: 0), self.hit(.ack, of: 0), self.hit(.open, of: 0),
            self.hit(.open, of: 1, by: .imageProxy),
            self.hit(.open, of: 2, by: .bot(0)), self.hit(.open, of: 3, by: .prefetch(0)),
            self.hit(.open, of: 4, .head), self.hit(.open, of: 5, .damaged(.cutShort)),
        ] {
            truth.answered(hit)
        }
        let row = truth.row(includingTests: true)
        #expect(row.sent == 40)
        #expect(row.acked == 1)
        #expect(row.opened == 2)
        #expect(row.derived == 1)
        #expect(row.delivered == 2)
        #expect(row.acksTotal == Bounds(exactly: 2))
        #expect(row.opensTotal == Bounds(exactly: 2))
        #expect(truth.total(.open, .bot, includingTests: true) == Bounds(exactly: 1))
        #expect(truth.total(.open, .prefetch, includingTests: true) == Bounds(exactly: 1))
    }

    /// A hit whose answer nobody saw widens the totals until the hub's own list settles it.
    @Test func settlesWhatNobodySaw() {
        var truth = Truth(self.plan)
        let hit = self.hit(.ack, of: 0)
        truth.wentUnseen(hit)
        truth.answered(hit)
        #expect(truth.row(includingTests: true).acksTotal == Bounds(1, 2))
        let accepted = [0, 3, 2].map { truth.settle(hit.cell, at: $0) }
        #expect(accepted == [false, false, true])
        #expect(truth.row(includingTests: true).acksTotal == Bounds(exactly: 2))
        #expect(truth.unseen.isEmpty)
    }

    /// Test sends are left out unless asked for.
    @Test func leavesTestsOut() throws {
        let plan = SimulationPlan(messages: 4_000, seconds: 1, providers: [Provider(rawValue: 1)], seed: 3)
        let test = try #require(plan.messages.firstIndex { $0.isTest })
        var truth = Truth(plan)
        truth.answered(self.hit(.ack, of: test))
        #expect(truth.row(includingTests: false).acked == 0)
        #expect(truth.row(includingTests: true).acked == 1)
        #expect(truth.row(includingTests: false).sent == plan.messages.count { !$0.isTest })
    }

    /// One figure off by one, missing or a wrong rate is a difference that names it.
    @Test(arguments: [
        ("\"acked\":1", "\"acked\":2", "acked"), ("\"sent\":4", "\"sent\":3", "sent"),
        ("\"opens_total\":0", "\"opens_total\":1", "opens_total"), ("\"acks_total\":1,", "", "acks_total"),
        ("\"delivery_rate\":0.25", "\"delivery_rate\":0.26", "delivery_rate"),
        ("\"open_rate\":0", "\"open_rate\":null", "open_rate"),
    ])
    func namesADifference(old: String, new: String, name: String) throws {
        let right = """
            {"sent":4,"delivered":1,"acked":1,"derived":0,"opened":0,"opens_total":0,"acks_total":1,\
            "delivery_rate":0.25,"open_rate":0}
            """
        var expected = ExpectedRow()
        expected.sent = 4
        expected.acked = 1
        expected.acksTotal = Bounds(exactly: 1)
        func differences(_ text: String) throws -> [String] {
            ComparedSection("launch", expected, reported: try JSONValue(parsing: Array(text.utf8).span.bytes))
                .differences
        }
        #expect(try differences(right) == [])
        let found = try differences(right.replacing(old, with: new))
        #expect(found.count == 1)
        #expect(found.first?.contains("launch, \(name):") == true)
    }
}
