/// Counters since the spool was opened, and gauges of this moment.
package struct SpoolMetrics: Sendable {
    /// Records made durable, and their bytes with frames.
    package var recordsAppended: UInt64 = 0
    package var bytesAppended: UInt64 = 0
    /// `fdatasync` calls for groups: recordsAppended / syncs is the mean group.
    package var syncs: UInt64 = 0
    package var syncSecondsTotal: Double = 0
    package var recordsRefused: [SpoolRefusal: UInt64] = [:]
    /// Bytes between what was released and the end of what was written; at `bytesMax` appends are refused as `full`.
    package var bytesHeld: UInt64 = 0
    package var bytesMax: UInt64 = 0
    /// Bytes handed over and not yet taken by the writer; at `waitingBytesMax` groups are refused as `full`.
    package var waitingBytes: UInt64 = 0
    package var waitingBytesMax: UInt64 = 0
    /// Segment files on disk, the prepared one included.
    package var segments: Int = 0
    /// How often the writer had to wait for the next segment to be prepared.
    package var segmentWaits: UInt64 = 0
    /// Damaged regions met inside segments; what lies behind each one is read on. After a power cut an unfinished batch may
    /// count as one: the disk may have kept its end and lost its beginning.
    package var corruptRegions: UInt64 = 0
    /// Ends of unfinished writes that were cut when the spool was opened.
    package var tornTailsRepaired: UInt64 = 0
    /// How often a reader was asked for a position that was already released.
    package var readGaps: UInt64 = 0

    package init() {}
}
