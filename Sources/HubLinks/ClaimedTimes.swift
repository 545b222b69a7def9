/// Which nanoseconds were given out: at most 1024 ranges, sorted, apart from each other.
///
/// When there is no room for another range, the half of the gaps that are smallest count as given out. So a nanosecond
/// is never given twice, whatever times are asked for; the price of bounded memory is that a time inside such a gap is
/// moved to the gap's end. Times that grow, repeat or lie within a few hundred clusters are hardly moved at all.
struct ClaimedTimes {
    static let rangesMax = 1024

    private(set) var ranges: [ClosedRange<UInt64>] = []

    init() { self.ranges.reserveCapacity(Self.rangesMax) }

    /// Claims `wanted` or the first free nanosecond after it; the last free one before it when there is none after.
    mutating func claim(_ wanted: UInt64) -> UInt64 {
        let index = self.firstRange(endingAtOrAfter: wanted)
        guard index < self.ranges.count, self.ranges[index].contains(wanted) else {
            self.insert(wanted, before: index)
            return wanted
        }
        let range = self.ranges[index]
        if range.upperBound < .max {
            let free = range.upperBound + 1
            self.insert(free, before: index + 1)
            return free
        }
        // Merging keeps the largest gaps, so the ranges never cover all times.
        precondition(range.lowerBound > 0, "all times are given out")
        let free = range.lowerBound - 1
        self.insert(free, before: index)
        return free
    }

    private func firstRange(endingAtOrAfter time: UInt64) -> Int {
        var low = 0
        var high = self.ranges.count
        while low < high {
            let middle = (low + high) / 2
            if self.ranges[middle].upperBound < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds a free nanosecond that lies between the ranges `index - 1` and `index`, joining those that it touches.
    private mutating func insert(_ time: UInt64, before index: Int) {
        let touchesBefore = index > 0 && self.ranges[index - 1].upperBound + 1 == time
        let touchesAfter = index < self.ranges.count && time + 1 == self.ranges[index].lowerBound
        switch (touchesBefore, touchesAfter) {
        case (true, true):
            self.ranges[index - 1] = self.ranges[index - 1].lowerBound...self.ranges[index].upperBound
            self.ranges.remove(at: index)
        case (true, false): self.ranges[index - 1] = self.ranges[index - 1].lowerBound...time
        case (false, true): self.ranges[index] = time...self.ranges[index].upperBound
        case (false, false):
            self.ranges.insert(time...time, at: index)
            if self.ranges.count == Self.rangesMax { self.mergeAcrossSmallGaps() }
        }
    }

    /// Halves the number of ranges; so the work is shared by the next 512 claims.
    private mutating func mergeAcrossSmallGaps() {
        let gaps = zip(self.ranges, self.ranges.dropFirst()).map { $1.lowerBound - $0.upperBound }
        let half = gaps.count / 2
        let limit = gaps.sorted()[half]
        var merged: [ClosedRange<UInt64>] = []
        merged.reserveCapacity(Self.rangesMax)
        // All gaps below the limit, and of those that equal it only as many as make the half.
        var atLimit = half - gaps.count { $0 < limit }
        for range in self.ranges {
            guard let before = merged.last else {
                merged.append(range)
                continue
            }
            let gap = range.lowerBound - before.upperBound
            if gap < limit || (gap == limit && atLimit > 0) {
                merged[merged.count - 1] = before.lowerBound...range.upperBound
                atLimit -= gap == limit ? 1 : 0
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }
}
