/// Where a spool lives and how much it may hold. Every limit has a metric.
package struct SpoolConfiguration: Sendable {
    package var directory: String
    /// The size segments grow to: the first has `segmentBytesFirst`, each next one twice as much, up to this, where
    /// the disk has room. So a small hub's folder stays small and a busy hub rolls seldom. At least 4096.
    package var segmentBytes: Int = 64 << 20
    /// Appends are refused as `full` beyond this many unreleased bytes. The disk needs room for this and two segments.
    package var bytesMax: UInt64 = 4 << 30
    /// Bytes that may wait for the writer, over all appenders, before groups are refused as `full`: a disk that hangs
    /// must not eat the memory.
    package var waitingBytesMax: Int = 32 << 20
    /// Pause between attempts when the disk is full.
    package var retryMilliseconds: Int = 250

    package init(directory: String) { self.directory = directory }

    static let segmentBytesMin = 4 << 10
    static let segmentBytesFirst = 1 << 20
    /// The most that one write and one sync carry.
    static let batchBytesMax = 4 << 20
    static let batchGroupsMax = 256

    /// A group never spans segments, so it is at most a quarter of one.
    var groupBytesMax: Int { min(256 << 10, self.segmentBytes / 4) }

    /// The longest record in bytes: 64 KiB; less where the segments are smaller than 256 KiB.
    package var recordBytesMax: Int { min(Frame.payloadBytesMax, self.groupBytesMax - Frame.headerBytes) }

    /// The size of the segment that follows one of `previous` bytes (0: none).
    func segmentBytes(after previous: UInt64) -> UInt64 {
        let first = UInt64(min(Self.segmentBytesFirst, self.segmentBytes))
        return min(max(first, previous.multipliedReportingOverflow(by: 2).partialValue), UInt64(self.segmentBytes))
    }
}
