/// The loop's connections at addresses that never move, found by slot without a look-up; memory grows by blocks and is
/// kept for the next peak (about 0.4 KB a connection).
struct ConnectionSlab {
    private static let blockSlots = 128

    private var blocks: [ConnectionPointer] = []
    /// Slots without a connection, the last freed on top: its memory is still in the cache.
    private var freeSlots: [UInt32] = []

    var capacity: Int { self.blocks.count * Self.blockSlots }

    /// The slot's record, nil for a slot that never was.
    subscript(slot: UInt32) -> ConnectionPointer? {
        let (block, index) = Int(slot).quotientAndRemainder(dividingBy: Self.blockSlots)
        return block < self.blocks.count ? self.blocks[block] + index : nil
    }

    mutating func take() -> ConnectionPointer {
        if self.freeSlots.isEmpty { self.grow() }
        guard let slot = self.freeSlots.popLast(), let connection = self[slot] else {
            preconditionFailure("a grown slab has a free slot")
        }
        return connection
    }

    mutating func give(_ connection: ConnectionPointer) {
        connection.pointee.reset()
        self.freeSlots.append(connection.pointee.slot)
    }

    /// Calls `body` for each connection that is open.
    func forEachOpen(_ body: (ConnectionPointer) -> Void) {
        for block in self.blocks {
            for index in 0..<Self.blockSlots where block[index].phase != .free { body(block + index) }
        }
    }

    mutating func releaseAll() {
        for block in self.blocks {
            block.deinitialize(count: Self.blockSlots)
            block.deallocate()
        }
        self.blocks.removeAll()
        self.freeSlots.removeAll()
    }

    private mutating func grow() {
        let first = self.capacity
        let block = ConnectionPointer.allocate(capacity: Self.blockSlots)
        for index in 0..<Self.blockSlots { (block + index).initialize(to: Connection(slot: UInt32(first + index))) }
        self.blocks.append(block)
        for index in (0..<Self.blockSlots).reversed() { self.freeSlots.append(UInt32(first + index)) }
    }
}
