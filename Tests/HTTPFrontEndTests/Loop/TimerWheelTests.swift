import TestSupport
import Testing

@testable import HTTPFrontEnd

/// Connections on a wheel, at addresses that stay.
final class WheelFixture {
    let connections: UnsafeMutablePointer<Connection>
    private let count: Int
    var wheel: TimerWheel

    init(count: Int, now: UInt64) {
        self.count = count
        self.connections = .allocate(capacity: count)
        for index in 0..<count { (self.connections + index).initialize(to: Connection(slot: UInt32(index))) }
        self.wheel = TimerWheel(now: now)
    }

    deinit {
        self.connections.deinitialize(count: self.count)
        self.connections.deallocate()
    }

    func due(_ now: UInt64) -> [UInt32] {
        var slots: [UInt32] = []
        while let connection = self.wheel.nextDue(now: now) { slots.append(connection.pointee.slot) }
        return slots.sorted()
    }
}

@Suite(.blocking)
struct TimerWheelTests {
    /// A deadline strikes within a tick after it, never before, and once.
    @Test func strikesOnceAndNotEarly() {
        let fixture = WheelFixture(count: 3, now: 1_000_000)
        fixture.wheel.set(fixture.connections, deadline: 1_000_300)
        fixture.wheel.set(fixture.connections + 1, deadline: 1_000_301)
        fixture.wheel.set(fixture.connections + 2, deadline: 1_200_000)
        #expect(fixture.due(1_000_299).isEmpty)
        #expect(fixture.due(1_000_300 + TimerWheel.tickMilliseconds + 1) == [0, 1])
        #expect(fixture.due(1_150_000).isEmpty)
        #expect(fixture.due(1_200_100) == [2])
        #expect(fixture.due(9_000_000).isEmpty)
        #expect(fixture.wheel.delay(now: 9_000_000) == nil)
    }

    /// A deadline moved later strikes only then; moved earlier, then; taken away, never.
    @Test func followsChanges() {
        let fixture = WheelFixture(count: 3, now: 0)
        for index in 0..<3 { fixture.wheel.set(fixture.connections + index, deadline: 1_000) }
        fixture.wheel.set(fixture.connections, deadline: 5_000)
        fixture.wheel.set(fixture.connections + 1, deadline: 500)
        fixture.wheel.set(fixture.connections + 2, deadline: .max)
        #expect(fixture.due(600) == [1])
        #expect(fixture.due(4_999).isEmpty)
        #expect(fixture.due(5_100) == [0])
        fixture.wheel.set(fixture.connections + 2, deadline: 6_000)
        fixture.wheel.remove(fixture.connections + 2)
        #expect(fixture.due(100_000).isEmpty)
    }

    /// The delay leads to the next deadline without passing it: sleeping by it finds every deadline in time.
    @Test(arguments: 1...5)
    func sleepingByTheDelayMissesNothing(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let count = 200
        let fixture = WheelFixture(count: count, now: 77)
        var deadlines = (0..<count).map { _ in UInt64.random(in: 100...400_000, using: &generator) }
        for index in 0..<count { fixture.wheel.set(fixture.connections + index, deadline: deadlines[index]) }
        var now: UInt64 = 77
        var struck = 0
        while let delay = fixture.wheel.delay(now: now) {
            now += UInt64(max(1, delay))
            for slot in fixture.due(now) {
                let lateness = Int(now) - Int(deadlines[Int(slot)])
                #expect(lateness >= 0 && lateness <= Int(TimerWheel.tickMilliseconds) + 1)
                struck += 1
            }
            // Some move on while others wait.
            let index = Int.random(in: 0..<count, using: &generator)
            if fixture.connections[index].wheelTick != .max {
                deadlines[index] = now + UInt64.random(in: 100...50_000, using: &generator)
                fixture.wheel.set(fixture.connections + index, deadline: deadlines[index])
            }
            if now > 2_000_000 { break }
        }
        #expect(struck > 0)
    }
}
