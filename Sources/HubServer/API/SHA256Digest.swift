import COpenSSL

/// SHA-256 of a few bytes (FIPS 180-4), for cache keys and request identities.
struct SHA256Digest: Hashable, Sendable {
    private let high: UInt128
    private let low: UInt128

    init(_ bytes: [UInt8]) {
        let digest = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { output in
            _ = SHA256(bytes, bytes.count, output.baseAddress)
            let half = { (range: Range<Int>) in output[range].reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
            return (half(0..<16), half(16..<32))
        }
        (self.high, self.low) = digest
    }

    /// The first 16 bytes, big-endian.
    var prefix: UInt128 { self.high }

    var bytes: [UInt8] {
        [self.high, self.low].flatMap { half in
            (0..<16).map { UInt8(truncatingIfNeeded: half >> (120 - 8 * $0)) }
        }
    }
}
