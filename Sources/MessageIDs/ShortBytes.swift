/// Up to 128 bytes on the stack: an id's body, its text, its checksum. Keeps the ids' code off the heap.
///
/// Every id form has a proven length below the capacity; going past it is a fault of the program and traps.
package struct ShortBytes {
    package static let capacity = 128

    package private(set) var storage = InlineArray<128, UInt8>(repeating: 0)
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ byte: UInt8) {
        self.storage[self.count] = byte
        self.count &+= 1
    }

    /// Appends the 4 bytes of `value`, big-endian.
    package mutating func append(bigEndian value: UInt32) {
        self.append(UInt8(truncatingIfNeeded: value >> 24))
        self.append(UInt8(truncatingIfNeeded: value >> 16))
        self.append(UInt8(truncatingIfNeeded: value >> 8))
        self.append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends the last `count` bytes of `value`, big-endian.
    package mutating func append(bigEndian value: UInt128, count: Int) {
        var shift = count * 8
        while shift > 0 {
            shift &-= 8
            self.append(UInt8(truncatingIfNeeded: value >> UInt128(shift)))
        }
    }

    /// Appends what `write` writes: at most `bytesMax` bytes.
    package mutating func append(atMost bytesMax: Int, _ write: (inout ByteWriter) -> Void) {
        precondition(self.count + bytesMax <= Self.capacity)
        let count = self.count
        var storage = self.storage.mutableSpan
        self.count = storage.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return count }
            var writer = ByteWriter(base + count, capacity: bytesMax)
            write(&writer)
            return count + writer.count
        }
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        let range = self.count..<self.count + bytes.count
        var storage = self.storage.mutableSpan
        storage.withUnsafeMutableBufferPointer { storage in
            bytes.withUnsafeBufferPointer { bytes in
                _ = UnsafeMutableBufferPointer(rebasing: storage[range]).update(fromContentsOf: bytes)
            }
        }
        self.count = range.upperBound
    }

    /// Lends the bytes for one call.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self.storage.span.extracting(0..<self.count))
    }

    /// Appends the bytes to an array; does not allocate when `bytes` has room.
    package func append(to bytes: inout [UInt8]) {
        self.withSpan { span in span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }
    }

    /// The bytes as text; they must be ASCII.
    package var text: String {
        self.withSpan { span in span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
    }
}
