import MessageIDs

/// Launches of one campaign that began one after another, a nanosecond apart: so one range of the tables holds them all.
struct LaunchRange: Sendable, Equatable {
    let first: LaunchID
    /// At least 1.
    let count: Int

    static let countMax = 1_000_000

    init(first: LaunchID, count: Int) {
        precondition((1...Self.countMax).contains(count), "a range without a launch")
        self.first = first
        self.count = count
    }

    var last: LaunchID { self[self.count - 1] }

    subscript(_ number: Int) -> LaunchID {
        var launch = self.first
        launch.launchedAt += UInt64(number)
        return launch
    }
}
