import EventStore
import HTTPFrontEnd
import MessageIDs
import TestSupport
import Testing

@testable import HubServer

@Suite(.blocking)
struct ExchangeQueueTests {
    /// What goes in comes out in order, across growth and the ring's end.
    @Test func keepsOrder() {
        var queue = ExchangeQueue()
        var next: UInt64 = 0
        var expected: UInt64 = 0
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                queue.append(
                    WaitingHit(
                        exchange: HTTPExchangeID(rawValue: next), since: next, kind: .ack, eventClass: .human,
                        wantsImage: false))
                next += 1
            }
            for _ in 0..<Int.random(in: 0...min(queue.count, 18), using: &random) {
                #expect(queue.removeFirst().exchange.rawValue == expected)
                expected += 1
            }
        }
        while queue.count > 0 {
            #expect(queue.removeFirst().exchange.rawValue == expected)
            expected += 1
        }
        #expect(expected == next)
    }
}
