/// Writes bytes one behind the other into memory of a known size. Only debug builds check it: the caller has proven that
/// what it writes is never longer.
package struct ByteWriter {
    @usableFromInline let start: UnsafeMutableRawPointer
    @usableFromInline let capacity: Int
    @usableFromInline var written = 0

    @inlinable package var count: Int { self.written }

    @inlinable
    package init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
        self.start = memory
        self.capacity = capacity
    }

    /// Appends to an array what `write` writes: at most `bytesMax` bytes.
    package static func append(to bytes: inout [UInt8], atMost bytesMax: Int, _ write: (inout ByteWriter) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: bytesMax, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            var writer = ByteWriter(base, capacity: bytesMax)
            write(&writer)
            bytes.append(contentsOf: memory[..<writer.count])
        }
    }

    /// A byte that was written.
    @inlinable
    package subscript(offset: Int) -> UInt8 {
        get {
            assert(offset >= 0 && offset < self.count)
            return self.start.load(fromByteOffset: offset, as: UInt8.self)
        }
        nonmutating set {
            assert(offset >= 0 && offset < self.count)
            self.start.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
        }
    }

    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) { self.append(littleEndian: byte) }

    @inlinable @inline(__always)
    package mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(littleEndian value: Integer) {
        assert(self.count + MemoryLayout<Integer>.size <= self.capacity)
        self.start.storeBytes(of: value.littleEndian, toByteOffset: self.count, as: Integer.self)
        self.written &+= MemoryLayout<Integer>.size
    }

    /// The last `count` bytes of `value`, big-endian.
    @inlinable
    package mutating func append(bigEndian value: UInt128, count: Int) {
        if count == 0 { return }
        withUnsafeBytes(of: (value << UInt128(128 - 8 * count)).bigEndian) { bytes in
            if let base = bytes.baseAddress { self.append(base, count: count) }
        }
    }

    @inlinable
    package mutating func append(_ bytes: UnsafeRawPointer, count: Int) {
        assert(self.count + count <= self.capacity)
        (self.start + self.count).copyMemory(from: bytes, byteCount: count)
        self.written &+= count
    }
}
