package import MessageIDs

/// What is counted of one launch, cut in time. Over all intervals it sums up to the launch's report: both are the same
/// counters.
package struct LaunchIntervals: Sendable, Equatable {
    /// How long an interval is; it begins where a UTC clock or calendar turns.
    package enum Width: String, Sendable, CaseIterable {
        /// Not finer than the counters: a day and more from the launch, minutes come in quarter hours.
        case minute
        case hour, day, month, year
    }

    /// One provider's part of an interval.
    package struct Part: Sendable, Equatable {
        /// UNIX microseconds.
        package var beginsAt: Int64
        package var provider: Provider
        package var row: ReportRow
    }

    package var width: Width
    /// In order of time and provider; none is listed that has no counter.
    package var parts: [Part]
}
