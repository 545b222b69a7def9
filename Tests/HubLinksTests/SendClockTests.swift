import Foundation
import MessageIDs
import Synchronization
import TestSupport
import Testing

@testable import HubLinks

@Suite(.blocking)
struct SendClockTests {
    /// A clock that stands still or goes back still gives growing times.
    @Test func growsWhateverTimeDoes() {
        let times = Mutex<[UInt64]>([50, 50, 40, 0, 60, 60, 1_000])
        let clock = SendClock { times.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        #expect((0..<8).map { _ in clock.next() } == [50, 51, 52, 53, 60, 61, 1_000, 1_001])
    }

    /// A reservation is a block of its own.
    @Test func reservesBlocks() {
        let clock = SendClock { 100 }
        #expect(clock.reserve(10) == 100)
        #expect(clock.next() == 110)
        #expect(clock.reserve(1) == 111)
        #expect(clock.next() == 112)
    }

    /// Threads that mint at once never get the same nanosecond, from any of the ways.
    @Test func threadsNeverShareATime() {
        let clock = SendClock { 1_000 }
        let results = Mutex<(own: [UInt64], moved: [UInt64])>(([], []))
        let threads = (0..<8).map { index in
            Thread {
                var own: [UInt64] = []
                var moved: [UInt64] = []
                for round in 0..<2_000 {
                    if round % 3 == 0 {
                        let first = clock.reserve(UInt64(index + 1))
                        own += first...first + UInt64(index)
                    } else {
                        own.append(clock.next())
                    }
                    moved.append(clock.moveToFree(UInt64(round % 50 * 1_000)))
                }
                results.withLock {
                    $0.own += own; $0.moved += moved
                }
            }
        }
        for thread in threads { thread.start() }
        let deadline = Date(timeIntervalSinceNow: 60)
        while !threads.allSatisfy(\.isFinished) && Date() < deadline { usleep(1_000) }
        let (own, moved) = results.withLock { $0 }
        #expect(moved.count == 16_000)
        #expect(Set(own).count == own.count)
        #expect(Set(moved).count == moved.count)
    }

    /// Only an anonymous message's time is moved, given or not.
    @Test func movesAnonymousTimesOnly() {
        let clock = SendClock { 500 }
        for privacy in [Privacy.keepAddress, .maskAddress, .dropAddress] {
            #expect(clock.sendTime(given: 7, privacy: privacy) == 7)
            #expect(clock.sendTime(given: 7, privacy: privacy) == 7)
        }
        #expect(clock.sendTime(given: 7, privacy: .anonymous) == 7)
        #expect(clock.sendTime(given: 7, privacy: .anonymous) == 8)
        #expect(clock.sendTime(given: nil, privacy: .keepAddress) == 500)
        #expect(clock.sendTime(given: 501, privacy: .anonymous) == 501)
        // The clock's own next time is taken by an anonymous message, so an anonymous one is moved again.
        #expect(clock.sendTime(given: nil, privacy: .anonymous) == 502)
    }
}
