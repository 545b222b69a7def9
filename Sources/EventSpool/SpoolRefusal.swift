/// Why an append was not made durable: the hub answers 503.
package enum SpoolRefusal: String, Sendable, CaseIterable {
    /// `bytesMax` is reached, or more waits for the writer than `waitingBytesMax`. Ends with `release`.
    case full
    /// The disk or the quota has no room (ENOSPC, EDQUOT). Ends by itself when there is room again.
    case diskFull = "disk_full"
    /// A write or a sync failed. For ever on this spool object when it hit a segment in use (what the kernel kept of it
    /// is unknown, so it is never tried again); only until the next attempt when it hit a segment being prepared.
    case failed
    /// After `close`.
    case closed
}
