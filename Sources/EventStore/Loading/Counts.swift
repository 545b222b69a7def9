/// What is added to one row of counters. Only `derived` may be negative: a late ack takes it back.
struct Counts {
    var sent: Int64 = 0
    var acked: Int64 = 0
    var derived: Int64 = 0
    var opened: Int64 = 0
    var acksTotal: Int64 = 0
    var opensTotal: Int64 = 0

    static func += (left: inout Counts, right: Counts) {
        left.sent += right.sent
        left.acked += right.acked
        left.derived += right.derived
        left.opened += right.opened
        left.acksTotal += right.acksTotal
        left.opensTotal += right.opensTotal
    }
}
