/// What a loader has done since it was made.
package struct LoaderMetrics: Sendable {
    package var isConnected = false
    /// Transactions committed.
    package var batches: UInt64 = 0
    /// Events loaded.
    package var events: UInt64 = 0
    /// Events dropped because a report of the same name was stored before.
    package var repeatedReports: UInt64 = 0
    /// Sent counts loaded.
    package var sentRecords: UInt64 = 0
    /// Minted messages loaded, those that were known already included.
    package var messagesStored: UInt64 = 0
    /// Events parked, because nobody knew their message.
    package var unmatchedParked: UInt64 = 0
    /// Parked events whose message came: loaded, or dropped as a repeated report.
    package var unmatchedMatched: UInt64 = 0
    /// Parked events dropped after 31 days.
    package var unmatchedExpired: UInt64 = 0
    /// Events of unknown messages dropped at once, because too many of their account were parked.
    package var unmatchedRefused: UInt64 = 0
    /// Attempts that failed and were, or will be, made again.
    package var retries: UInt64 = 0
    /// Records put into quarantine.
    package var quarantined: UInt64 = 0
    /// Times that the database's position was not where this loader had left it: an answer to a COMMIT was lost, or a server
    /// failed over to an older state.
    package var positionMoves: UInt64 = 0
    /// From the batch's last read to its commit.
    package var lastBatchSeconds: Double = 0
    /// UNIX nanoseconds of receipt of the newest loaded event.
    package var newestReceivedAt: UInt64 = 0
    package init() {}
}
