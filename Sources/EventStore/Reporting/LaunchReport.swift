package import MessageIDs

/// What is counted of one launch. All parts come from one statement: they agree with each other.
package struct LaunchReport: Sendable {
    package var launch: LaunchID
    package var totals: ReportRow
    /// By code; only providers of which anything is known.
    package var byProvider: [(provider: Provider, row: ReportRow)]
    /// By code; every class that has events.
    package var byClass: [(eventClass: EventClass, opensTotal: Int64, acksTotal: Int64)]
}
