/// The counts of design section 9's row.
package struct ReportRow: Sendable, Equatable {
    package var sent: Int64 = 0
    package var acked: Int64 = 0
    /// Opened but never acked.
    package var derived: Int64 = 0
    package var opened: Int64 = 0
    /// Of classes that count.
    package var opensTotal: Int64 = 0
    package var acksTotal: Int64 = 0
    package init() {}

    package var delivered: Int64 { self.acked + self.derived }

    /// delivered / sent; nil where sent is 0 or too small.
    package var deliveryRate: Double? { Self.rate(self.delivered, of: self.sent) }

    /// opened / delivered; nil where nothing is delivered.
    package var openRate: Double? { Self.rate(self.opened, of: self.delivered) }

    /// sent is unknown or smaller than delivered.
    package var sentIncomplete: Bool { self.sent < self.delivered }

    /// Never above 1: in a row of a part of time, more may be opened than delivered.
    private static func rate(_ part: Int64, of whole: Int64) -> Double? {
        whole > 0 && part <= whole ? Double(part) / Double(whole) : nil
    }

    static func += (left: inout ReportRow, right: ReportRow) {
        left.sent += right.sent
        left.acked += right.acked
        left.derived += right.derived
        left.opened += right.opened
        left.opensTotal += right.opensTotal
        left.acksTotal += right.acksTotal
    }
}
