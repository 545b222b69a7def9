import COpenSSL

/// Key bytes that are wiped when the last owner lets go, and that no description shows.
///
/// `@unchecked Sendable`: the memory is written once, in `init`, before anybody else can see it.
final class SecretBytes: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    private let memory: UnsafeMutableRawBufferPointer

    /// Fresh random bytes from OpenSSL's private generator. A machine without randomness can't go on: traps.
    init(randomCount count: Int) {
        self.memory = .allocate(byteCount: count, alignment: 16)
        let bytes = self.memory.assumingMemoryBound(to: UInt8.self)
        let isGood = RAND_priv_bytes(bytes.baseAddress, Int32(count)) == 1
        precondition(isGood, "OpenSSL has no random bytes")
    }

    init(_ bytes: [UInt8]) {
        self.memory = .allocate(byteCount: bytes.count, alignment: 16)
        self.memory.copyBytes(from: bytes)
    }

    deinit {
        OPENSSL_cleanse(self.memory.baseAddress, self.memory.count)
        self.memory.deallocate()
    }

    var count: Int { self.memory.count }

    /// Lends the bytes for one call; they must not be copied to memory that is not wiped.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(self.memory))
    }

    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// Overwrites the bytes with zeros in a way that the compiler keeps.
    mutating func wipe() {
        self.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}
