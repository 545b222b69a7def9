import Glibc

/// The loop's spare blocks. A connection borrows one while its turn runs and gives it back at the end of it, so a loop
/// needs two or three whatever the number of connections; bytes that must wait move to memory of their own size.
struct BlockPool {
    static let blockBytes = 64 << 10
    private static let blocksMax = 8

    private var blocks: [UnsafeMutableRawPointer] = []

    /// An empty queue with a block's memory.
    mutating func borrow() -> ByteQueue {
        if let block = self.blocks.popLast() { return ByteQueue(base: block, capacity: Self.blockBytes) }
        guard let block = malloc(Self.blockBytes) else { fatalError("out of memory") }
        return ByteQueue(base: block, capacity: Self.blockBytes)
    }

    /// Ends a queue's turn: an empty one gives its memory up, a block's bytes move into memory that fits them.
    @inline(__always)
    mutating func settle(_ queue: inout ByteQueue) {
        if queue.capacity > 0, queue.capacity >= Self.blockBytes || queue.isEmpty { self.takeBack(&queue) }
    }

    private mutating func takeBack(_ queue: inout ByteQueue) {
        guard let base = queue.base else { return }
        if queue.isEmpty {
            let isBlock = queue.capacity == Self.blockBytes
            if isBlock, self.blocks.count < Self.blocksMax { self.blocks.append(base) } else { free(base) }
            queue = ByteQueue()
        } else if queue.count <= Self.blockBytes / 4 {
            var small = ByteQueue()
            let bytes = queue.bytes
            if let start = bytes.baseAddress { small.append(start, bytes.count) }
            queue.take(queue.count)
            self.takeBack(&queue)
            queue = small
        }
    }

    mutating func releaseAll() {
        for block in self.blocks { free(block) }
        self.blocks.removeAll()
    }
}
