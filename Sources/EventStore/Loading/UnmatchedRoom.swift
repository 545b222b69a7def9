/// How many more events each account may park, as far as one connection knows.
///
/// An account's rows are counted when it first parks something, and again after a minute; between, what other hubs park and
/// sweeps take is not seen. So the limit may be exceeded by a minute's parking of the other hubs.
struct UnmatchedRoom {
    static let countedEveryNanoseconds: UInt64 = 60 * 1_000_000_000

    private var left: [Int64: Int64] = [:]
    private var since: UInt64 = 0

    /// Forgets counts that are too old; `monotonic` is now.
    mutating func renew(monotonic: UInt64) {
        guard monotonic - self.since > Self.countedEveryNanoseconds else { return }
        self.since = monotonic
        self.left.removeAll()
    }

    /// Takes a place; false when there is none. `count` gives the account's free places when they are not known.
    mutating func take(_ account: Int64, count: () throws -> Int64) rethrows -> Bool {
        var left = try self.left[account] ?? count()
        defer { self.left[account] = left }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
