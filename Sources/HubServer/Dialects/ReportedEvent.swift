import MessageIDs

/// An event as a client reports it.
struct ReportedEvent: Sendable {
    var kind: EventKind
    var message: ReportedMessage
    /// UNIX nanoseconds by the device's clock, as it came; nil where the dialect has none.
    var deviceAt: UInt64?
    /// Names the report among all of the message's: of reports with the same name the first counts, whenever they come
    /// and by whichever hub. nil where the dialect can't tell a repeat from a second event.
    var report: UInt128?

    init(kind: EventKind, message: ReportedMessage, deviceAt: UInt64? = nil, report: UInt128? = nil) {
        self.kind = kind
        self.message = message
        self.deviceAt = deviceAt
        self.report = report
    }

    init(kind: EventKind, message: SendMessageID, deviceAt: UInt64? = nil, report: UInt128? = nil) {
        self.init(kind: kind, message: .whole(message), deviceAt: deviceAt, report: report)
    }

    /// A report's name from what makes it one, by the dialect's contract.
    static func report(_ parts: String...) -> UInt128 {
        // Lengths go in, so that no two lists of parts give the same bytes.
        SHA256Digest(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }).prefix
    }
}
