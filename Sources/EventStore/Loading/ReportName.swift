import MessageIDs

/// A named report, and what its name is unique in: a message's reports of one kind.
struct ReportName: Hashable {
    var message: MessageName
    var kind: EventKind
    var report: UInt128
}

extension LoadBatch.LoadedEvent {
    /// nil when its report has no name.
    var reportName: ReportName? {
        guard let report = self.event.report else { return nil }
        return ReportName(
            message: MessageName(account: self.event.message.account, key: self.key), kind: self.event.kind,
            report: report)
    }
}
