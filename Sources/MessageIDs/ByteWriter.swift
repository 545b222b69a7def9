/// Writes bytes one behind the other into memory of a known size, and never beyond: a caller that writes more traps.
package struct ByteWriter {
    private let start: UnsafeMutableRawPointer
    private let capacity: Int
    package private(set) var count = 0

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
    package subscript(offset: Int) -> UInt8 {
        get {
            precondition(offset >= 0 && offset < self.count)
            return self.start.load(fromByteOffset: offset, as: UInt8.self)
        }
        nonmutating set {
            precondition(offset >= 0 && offset < self.count)
            self.start.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
        }
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) { self.store(byte) }

    package mutating func append(littleEndian value: UInt64) { self.store(value.littleEndian) }
    package mutating func append(littleEndian value: Int64) { self.store(value.littleEndian) }
    package mutating func append(littleEndian value: UInt128) { self.store(value.littleEndian) }

    @inline(__always)
    private mutating func store<Value: BitwiseCopyable>(_ value: Value) {
        precondition(self.count + MemoryLayout<Value>.size <= self.capacity)
        self.start.storeBytes(of: value, toByteOffset: self.count, as: Value.self)
        self.count &+= MemoryLayout<Value>.size
    }

    /// The last `count` bytes of `value`, big-endian.
    package mutating func append(bigEndian value: UInt128, count: Int) {
        if count == 0 { return }
        withUnsafeBytes(of: (value << UInt128(128 - 8 * count)).bigEndian) { bytes in
            if let base = bytes.baseAddress { self.append(base, count: count) }
        }
    }

    package mutating func append(_ bytes: UnsafeRawPointer, count: Int) {
        precondition(self.count + count <= self.capacity)
        (self.start + self.count).copyMemory(from: bytes, byteCount: count)
        self.count &+= count
    }
}
