/// A buffer that lives as long as its owner, so that nothing is allocated per token. One a thread.
final class ScratchBytes {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(count: Int) {
        self.bytes = .allocate(capacity: count)
        self.bytes.initialize(repeating: 0)
    }

    deinit { self.bytes.deallocate() }

    var count: Int { self.bytes.count }

    /// The first `count` bytes as raw memory.
    func raw(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: self.bytes[range]))
    }
}
