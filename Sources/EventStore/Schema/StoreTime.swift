/// UNIX nanoseconds as the tables hold them: a timestamptz of microseconds, and the nanoseconds below.
struct StoreTime: Hashable, Comparable {
    /// Since the UNIX epoch, up to the year 2554.
    var microseconds: Int64
    /// 0 … 999.
    var nanos: Int16

    init(nanoseconds: UInt64) {
        self.microseconds = Int64(nanoseconds / 1000)
        self.nanos = Int16(nanoseconds % 1000)
    }

    init(microseconds: Int64, nanos: Int16) {
        self.microseconds = microseconds
        self.nanos = nanos
    }

    /// nil for what no row of ours holds.
    var nanoseconds: UInt64? {
        guard let microseconds = UInt64(exactly: self.microseconds), let nanos = UInt64(exactly: self.nanos) else {
            return nil
        }
        let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        let (sum, carry) = product.addingReportingOverflow(nanos)
        return overflow || carry ? nil : sum
    }

    /// UTC days since the UNIX epoch.
    var day: Int { Int(self.microseconds / 86_400_000_000) }

    static func < (left: Self, right: Self) -> Bool {
        (left.microseconds, left.nanos) < (right.microseconds, right.nanos)
    }
}
