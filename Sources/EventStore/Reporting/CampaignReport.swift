/// What is counted of a campaign's launches in a range of time.
package struct CampaignReport: Sendable, Equatable {
    package var campaign: Int64
    package var name: String?
    package var launches: Int64
    /// UNIX nanoseconds.
    package var firstLaunchedAt: UInt64
    /// UNIX nanoseconds.
    package var lastLaunchedAt: UInt64
    package var row: ReportRow
}
