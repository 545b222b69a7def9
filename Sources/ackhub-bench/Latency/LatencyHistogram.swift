/// Counts durations in buckets whose width grows with the value, as HdrHistogram does: fixed memory, every 64-bit value.
///
/// Values below 128 have a bucket each; above, every power of two is split into 128 buckets of one width. A percentile is
/// the upper end of its bucket, so it is never below the true value and at most 1/128 (0.8 %) above it.
struct LatencyHistogram: Sendable, Equatable {
    private static let subBucketBits = 7
    private static let subBuckets = 1 << subBucketBits
    private static let bucketCount = subBuckets * (1 + UInt64.bitWidth - subBucketBits)

    private var buckets = [UInt64](repeating: 0, count: bucketCount)
    private(set) var count: UInt64 = 0
    /// Exact; 0 while there is no value.
    private(set) var max: UInt64 = 0

    mutating func record(_ value: UInt64) {
        self.buckets[Self.bucket(of: value)] &+= 1
        self.count &+= 1
        if value > self.max { self.max = value }
    }

    /// Adds another's values.
    mutating func merge(_ other: LatencyHistogram) {
        for index in self.buckets.indices { self.buckets[index] &+= other.buckets[index] }
        self.count &+= other.count
        self.max = Swift.max(self.max, other.max)
    }

    /// The least value that `percent` of all values do not exceed, within the bucket's width; nil without values.
    ///
    /// `percent` is 0…100; 0 gives the least value, 100 the exact greatest.
    func percentile(_ percent: Double) -> UInt64? {
        precondition((0...100).contains(percent), "a percentile is 0…100")
        guard self.count > 0 else { return nil }
        let rank = Swift.min(self.count, Swift.max(1, UInt64((percent / 100 * Double(self.count)).rounded(.up))))
        var seen: UInt64 = 0
        for (index, count) in self.buckets.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return Swift.min(self.max, Self.upperEnd(of: index)) }
        }
        return self.max
    }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(Self.subBuckets) else { return Int(value) }
        let shift = UInt64.bitWidth - 1 - value.leadingZeroBitCount - Self.subBucketBits
        return (shift + 1) << Self.subBucketBits + Int(value >> UInt64(shift)) - Self.subBuckets
    }

    /// The greatest value that belongs to the bucket.
    private static func upperEnd(of bucket: Int) -> UInt64 {
        guard bucket >= Self.subBuckets else { return UInt64(bucket) }
        let shift = UInt64(bucket >> Self.subBucketBits - 1)
        let mantissa = UInt64(bucket & (Self.subBuckets - 1) + Self.subBuckets)
        // The last bucket's end is 2^64 - 1: the shift drops the carry, the subtraction borrows it back.
        return ((mantissa + 1) << shift) &- 1
    }
}
