/// How often something happened, as far as the simulation can know: from `low` to `high` times.
struct Bounds: Sendable, Equatable {
    var low: Int
    var high: Int

    init(_ low: Int, _ high: Int) {
        self.low = low
        self.high = high
    }

    init(exactly count: Int) { self.init(count, count) }

    func contains(_ count: Int) -> Bool { self.low <= count && count <= self.high }

    static func + (left: Self, right: Self) -> Self { Self(left.low + right.low, left.high + right.high) }

    var text: String { self.low == self.high ? String(self.low) : "\(self.low)–\(self.high)" }
}
