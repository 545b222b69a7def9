import Glibc

/// Bytes that wait: filled at the end, taken at the front. Raw memory in malloc's hands, owned by whoever holds the queue,
/// who calls `release`. An empty queue need not hold memory.
struct ByteQueue {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    private var start = 0
    private var end = 0

    var count: Int { self.end &- self.start }
    var isEmpty: Bool { self.end == self.start }
    var room: Int { self.capacity &- self.end }

    init() {}

    /// Takes over memory from malloc.
    init(base: UnsafeMutableRawPointer, capacity: Int) {
        self.base = base
        self.capacity = capacity
    }

    /// The waiting bytes; valid until the queue changes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: self.base.map { UnsafeRawPointer($0 + self.start) }, count: self.count)
    }

    /// Where the next bytes go: `room` bytes, then `filled`.
    var free: UnsafeMutableRawPointer {
        guard let base else { preconditionFailure("a queue without memory has no room") }
        return base + self.end
    }

    mutating func filled(_ count: Int) {
        precondition(count >= 0 && count <= self.room)
        self.end &+= count
    }

    mutating func take(_ count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.start &+= count
        if self.start == self.end {
            self.start = 0
            self.end = 0
        }
    }

    /// Makes `room` at least `count`, by moving the bytes down or by larger memory.
    @inline(__always)
    mutating func reserve(_ count: Int) {
        if self.room < count { self.makeRoom(count) }
    }

    private mutating func makeRoom(_ count: Int) {
        if self.start > 0, let base {
            memmove(base, base + self.start, self.count)
            self.end &-= self.start
            self.start = 0
            if self.room >= count { return }
        }
        var capacity = max(512, self.capacity)
        while capacity - self.end < count { capacity *= 2 }
        guard let larger = realloc(self.base, capacity) else { fatalError("out of memory") }
        self.base = larger
        self.capacity = capacity
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawPointer, _ count: Int) {
        self.reserve(count)
        memcpy(self.free, bytes, count)
        self.end &+= count
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { if let base = $0.baseAddress { self.append(base, $0.count) } }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) { self.append(text.utf8Start, text.utf8CodeUnitCount) }

    /// Gives the memory back to malloc.
    mutating func release() {
        Glibc.free(self.base)
        self = ByteQueue()
    }
}
