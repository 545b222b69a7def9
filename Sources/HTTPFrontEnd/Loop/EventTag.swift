/// What epoll hands back with an event: a connection's slot and generation, a listener, or the wake signal.
struct EventTag {
    let rawValue: UInt64

    /// Slots from here on are not connections.
    private static let firstListener: UInt32 = 0xffff_0000
    static let wake: UInt64 = .max

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(slot: UInt32, generation: UInt32) { self.rawValue = UInt64(generation) << 32 | UInt64(slot) }

    init(listener: Int) { self.rawValue = UInt64(Self.firstListener + UInt32(listener)) }

    var slot: UInt32 { UInt32(truncatingIfNeeded: self.rawValue) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: self.rawValue >> 32) }
    var listener: Int? { self.slot >= Self.firstListener ? Int(self.slot - Self.firstListener) : nil }
}
