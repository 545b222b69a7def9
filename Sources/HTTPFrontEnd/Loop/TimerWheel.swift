/// Deadlines in O(1): a hashed wheel of coarse ticks (Varghese and Lauck, 1987), and lazy: a deadline that moves later is
/// one store, and its connection is looked at when the old place comes round. A keep-alive request costs no relinking.
struct TimerWheel {
    static let tickMilliseconds: UInt64 = 50
    private static let slotCount: UInt64 = 2_048

    /// Each slot's list, linked through the connections.
    private var slots = [ConnectionPointer?](repeating: nil, count: Int(slotCount))
    /// One bit a slot that has a list.
    private var occupied = [UInt64](repeating: 0, count: Int(slotCount) / 64)
    /// The first tick that was not looked at yet.
    private var tick: UInt64

    init(now: UInt64) { self.tick = now / Self.tickMilliseconds }

    /// Sets when `connection` is due; `.max` = never.
    @inline(__always)
    mutating func set(_ connection: ConnectionPointer, deadline: UInt64) {
        connection.pointee.deadline = deadline
        // Already looked at in time: then is soon enough to see that it is due later, or not at all.
        if connection.pointee.wheelTick <= deadline / Self.tickMilliseconds || deadline == .max { return }
        self.unlink(connection)
        self.link(connection)
    }

    /// Forgets the connection: before its slot is given up.
    mutating func remove(_ connection: ConnectionPointer) {
        connection.pointee.deadline = .max
        self.unlink(connection)
    }

    /// A connection whose deadline has passed, taken off the wheel; nil when there is none (any more).
    mutating func nextDue(now: UInt64) -> ConnectionPointer? {
        let present = now / Self.tickMilliseconds
        while self.tick < present {
            // Those of later rounds stay; each one taken off or moved leaves the list shorter.
            var next = self.slots[Int(self.tick % Self.slotCount)]
            while let connection = next {
                next = connection.pointee.wheelNext
                guard connection.pointee.wheelTick <= self.tick else { continue }
                self.unlink(connection)
                if connection.pointee.deadline <= now { return connection }
                if connection.pointee.deadline != .max { self.link(connection) }
            }
            self.tick += 1
            self.skipEmptyTicks(present)
        }
        return nil
    }

    /// Milliseconds until the wheel wants to be looked at, nil = never.
    func delay(now: UInt64) -> Int? {
        guard let next = self.nextOccupiedTick() else { return nil }
        // A tick is due once it is over: a deadline inside it has then passed.
        let due = (next + 1) * Self.tickMilliseconds
        return due > now ? Int(due - now) : 0
    }

    private mutating func link(_ connection: ConnectionPointer) {
        let tick = max(connection.pointee.deadline / Self.tickMilliseconds, self.tick)
        let index = Int(tick % Self.slotCount)
        connection.pointee.wheelTick = tick
        connection.pointee.wheelPrevious = nil
        connection.pointee.wheelNext = self.slots[index]
        self.slots[index]?.pointee.wheelPrevious = connection
        self.slots[index] = connection
        self.occupied[index / 64] |= 1 << UInt64(index % 64)
    }

    private mutating func unlink(_ connection: ConnectionPointer) {
        guard connection.pointee.wheelTick != .max else { return }
        let index = Int(connection.pointee.wheelTick % Self.slotCount)
        let next = connection.pointee.wheelNext
        next?.pointee.wheelPrevious = connection.pointee.wheelPrevious
        if let previous = connection.pointee.wheelPrevious {
            previous.pointee.wheelNext = next
        } else {
            self.slots[index] = next
            if next == nil { self.occupied[index / 64] &= ~(1 << UInt64(index % 64)) }
        }
        connection.pointee.wheelTick = .max
        connection.pointee.wheelNext = nil
        connection.pointee.wheelPrevious = nil
    }

    /// Jumps over ticks whose slots are empty, so that a long sleep costs nothing.
    private mutating func skipEmptyTicks(_ present: UInt64) {
        self.tick = min(self.nextOccupiedTick() ?? present, present)
    }

    /// The first tick from the present one on whose slot has a list, whatever its round.
    private func nextOccupiedTick() -> UInt64? {
        let first = self.tick % Self.slotCount
        let words = self.occupied.count
        var word = Int(first / 64)
        var bits = self.occupied[word] & (~0 << (first % 64))
        for _ in 0...words {
            if bits != 0 {
                let index = UInt64(word * 64 + bits.trailingZeroBitCount)
                return self.tick + (index + Self.slotCount - first) % Self.slotCount
            }
            word = (word + 1) % words
            bits = self.occupied[word]
        }
        return nil
    }
}
